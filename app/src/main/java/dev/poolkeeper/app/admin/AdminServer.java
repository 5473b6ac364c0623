package dev.poolkeeper.app.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.NodeReports;
import dev.poolkeeper.app.status.StatusHtml;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /livez}, {@code /readyz}, {@code /metrics}, {@code /statusz} (also as {@code /}) and the script of the
 * status page, nothing else. Read-only, and no response echoes the request.
 *
 * <p>Requests are served concurrently on virtual threads. The number of concurrent large pages is limited, apart from
 * that of scrapes; probes are always answered. A request whose {@code Host} is not ours is refused ({@link HostNames}).
 * Thread-safe.
 */
public final class AdminServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AdminServer.class);
    private static final int LARGE_PAGES_AT_ONCE = 4;
    private static final int SCRAPES_AT_ONCE = 2;
    private static final int BACKLOG = 64;
    private static final Map<String, String> HEADERS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cache-Control", "no-store",
            "Content-Security-Policy",
                    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self';"
                            + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'");

    private final HttpServer server;
    private final ExecutorService executor;
    private final HostNames hosts;
    private final Map<String, Page> pages;

    private AdminServer(HttpServer server, ExecutorService executor, HostNames hosts, Map<String, Page> pages) {
        this.server = server;
        this.executor = executor;
        this.hosts = hosts;
        this.pages = pages;
    }

    /**
     * The data behind the pages. All suppliers are thread-safe and make no calls.
     *
     * @param alive for {@code /livez}, such as {@link Watchdog#checks}
     * @param ready for {@code /readyz}
     * @param metrics for {@code /metrics}
     * @param status for {@code /statusz}
     * @param nodes for {@code /statusz?node=}
     */
    public record Content(
            Supplier<List<Check>> alive,
            Supplier<List<Check>> ready,
            Supplier<MetricSnapshots> metrics,
            Supplier<DaemonStatus> status,
            NodeReports nodes) {}

    /**
     * Starts to serve.
     *
     * @param address a local address
     * @param port 0 for any free port
     * @param hosts the names under which it answers
     * @throws IOException if the address is not local or the port is in use
     */
    public static AdminServer start(InetAddress address, int port, HostNames hosts, Content content)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(address, port), BACKLOG);
        ExecutorService executor = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("admin-", 0).factory());
        Semaphore places = new Semaphore(LARGE_PAGES_AT_ONCE);
        Page status = new LimitedPage(new StatusPage(content.status(), content.nodes()), places);
        AdminServer admin = new AdminServer(
                server,
                executor,
                hosts,
                Map.of(
                        "/livez",
                        new HealthPage("livez", content.alive()),
                        "/readyz",
                        new HealthPage("readyz", content.ready()),
                        "/metrics",
                        new LimitedPage(new MetricsPage(content.metrics()), new Semaphore(SCRAPES_AT_ONCE)),
                        "/statusz",
                        status,
                        "/",
                        status,
                        "/status.js",
                        request -> new PageAnswer(200, "text/javascript", StatusHtml.script())));
        server.createContext("/", admin::handle);
        server.setExecutor(executor);
        server.start();
        return admin;
    }

    /** The address and actual port it listens on. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    /** Stops at once. */
    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            HEADERS.forEach(exchange.getResponseHeaders()::set);
            send(exchange, answer(exchange));
        }
    }

    private PageAnswer answer(HttpExchange exchange) {
        if (!hosts.allow(exchange.getRequestHeaders().getOrDefault("Host", List.of()))) {
            return PageAnswer.text(421, HostNames.REFUSAL);
        }
        Page page = pages.get(exchange.getRequestURI().getPath());
        String method = exchange.getRequestMethod();
        if (page == null) {
            return PageAnswer.text(404, "not found; available: /livez, /readyz, /metrics and /statusz\n");
        }
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            exchange.getResponseHeaders().set("Connection", "close"); // instead of reading a body
            return PageAnswer.text(405, "only GET and HEAD are allowed\n");
        }
        try {
            return page.answer(request(exchange));
        } catch (IOException | RuntimeException e) {
            log.atError()
                    .setCause(e)
                    .addKeyValue("page", exchange.getRequestURI().getPath())
                    .log("Page failed");
            return PageAnswer.text(500, "this page failed, see the log\n");
        }
    }

    private static Request request(HttpExchange exchange) {
        @Nullable String accept = exchange.getRequestHeaders().getFirst("Accept");
        return Request.of(exchange.getRequestURI().getRawQuery(), accept);
    }

    private static void send(HttpExchange exchange, PageAnswer answer) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", answer.contentType());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(answer.body().length));
            exchange.sendResponseHeaders(answer.status(), -1);
            return;
        }
        exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
        exchange.getResponseBody().write(answer.body());
    }

    /**
     * Aborts requests that take more than ten seconds to arrive, and responses that take more than a minute to send.
     * The JDK's server supports these limits only for the whole process and only before its first use, so this must not
     * be called in a process that also serves watches.
     */
    public static void limitSlowClients() {
        limit("sun.net.httpserver.maxReqTime", "10");
        limit("sun.net.httpserver.maxRspTime", "60");
    }

    private static void limit(String property, String seconds) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, seconds);
        }
    }
}
