package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** A backend on the loopback interface that fails as configured, and then responds with 200 and the request's body. */
final class TestBackend implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Received> received = new ArrayList<>();
    private Failure failure = exchange -> {};
    private int failures;

    /** A received request. */
    record Received(String method, String target, Headers headers, byte[] body) {}

    /** How a request fails. */
    @FunctionalInterface
    interface Failure {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    TestBackend() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    BackendAddress as(String service) {
        return new BackendAddress(
                "", service, "127.0.0.1:" + server.getAddress().getPort());
    }

    /** The next requests are answered with this status. */
    void answers(int status, int times) {
        fails(times, exchange -> exchange.sendResponseHeaders(status, -1));
    }

    /** The connections of the next requests are closed without a response. */
    void breaksOff(int times) {
        fails(times, exchange -> {});
    }

    /** The next requests get no response while the backend runs. */
    void hangs(int times) {
        fails(times, exchange -> closed.await());
    }

    synchronized void fails(int times, Failure how) {
        failures = times;
        failure = how;
        received.clear();
    }

    /** From now on, the response to each request is that of its number, from 1. */
    synchronized void answersAll(IntFunction<Failure> byNumber) {
        AtomicInteger number = new AtomicInteger();
        fails(
                Integer.MAX_VALUE,
                exchange -> byNumber.apply(number.incrementAndGet()).answer(exchange));
    }

    synchronized List<Received> received() {
        return List.copyOf(received);
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        Headers headers = new Headers();
        headers.putAll(exchange.getRequestHeaders());
        try (exchange) {
            Failure now = next(new Received(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body));
            now.answer(exchange);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Failure next(Received request) {
        received.add(request);
        return failures-- > 0
                ? failure
                : exchange -> {
                    exchange.getResponseHeaders().set("Connection", "keep-alive, x-private");
                    exchange.getResponseHeaders().set("X-Private", "for the gateway alone");
                    exchange.sendResponseHeaders(200, request.body().length == 0 ? -1 : request.body().length);
                    exchange.getResponseBody().write(request.body());
                };
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
