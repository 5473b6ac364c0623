package dev.poolkeeper.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

/** Generates load on persistent connections, with one virtual thread each. */
final class WireLoad {

    private static final byte[] REQUEST = "GET /books/1 HTTP/1.1\r\nHost: books.example.com\r\nAccept: */*\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final int connections;
    private final Duration duration;

    WireLoad(int port, int connections, Duration duration) {
        this.port = port;
        this.connections = connections;
        this.duration = duration;
    }

    /**
     * The result.
     *
     * @param sortedNanos the duration of each request
     * @param others the number of responses by status, except 200
     * @param seconds the total duration
     * @param processorMicros CPU time of the whole process per request
     */
    record Outcome(long[] sortedNanos, Map<Integer, Long> others, double seconds, double processorMicros) {

        double perSecond() {
            return sortedNanos.length / seconds;
        }

        double millis(double percent) {
            int rank = (int) Math.ceil(percent / 100 * sortedNanos.length);
            return sortedNanos[Math.max(0, rank - 1)] / 1e6;
        }
    }

    /** Each connection sends its next request when the response to the last one has arrived. */
    Outcome asFastAsItGoes() throws InterruptedException, ExecutionException {
        return run(0);
    }

    /** Requests are due at fixed intervals; each duration counts from the due time, even if it was sent later. */
    Outcome atRate(int perSecond) throws InterruptedException, ExecutionException {
        return run(1_000_000_000L * connections / perSecond);
    }

    private Outcome run(long distance) throws InterruptedException, ExecutionException {
        long processor = processorNanos();
        long begin = System.nanoTime();
        List<Future<Sent>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                long first = begin + distance * i / connections;
                all.add(threads.submit(() -> send(first, begin + duration.toNanos(), distance)));
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Map<Integer, Long> others = new TreeMap<>();
        List<long[]> parts = new ArrayList<>();
        for (Future<Sent> each : all) {
            parts.add(each.get().nanos());
            each.get().others().forEach((status, count) -> others.merge(status, count, Long::sum));
        }
        long used = processorNanos() - processor;
        long[] sorted = parts.stream().flatMapToLong(LongStream::of).sorted().toArray();
        return new Outcome(sorted, others, seconds, used / 1e3 / Math.max(1, sorted.length));
    }

    private static long processorNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private record Sent(long[] nanos, Map<Integer, Long> others) {}

    private Sent send(long first, long end, long distance) throws IOException {
        long[] nanos = new long[1_024];
        int sent = 0;
        Map<Integer, Long> others = new TreeMap<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (long due = first; due < end; due = distance == 0 ? System.nanoTime() : due + distance) {
                for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                socket.getOutputStream().write(REQUEST);
                WireHead head = WireHead.read(in);
                if (head == null) {
                    throw new IOException("the connection was closed");
                }
                in.skipNBytes(head.length());
                if (head.status() != 200) {
                    others.merge(head.status(), 1L, Long::sum);
                }
                if (sent == nanos.length) {
                    nanos = Arrays.copyOf(nanos, 2 * sent);
                }
                nanos[sent++] = System.nanoTime() - due;
            }
        }
        return new Sent(Arrays.copyOf(nanos, sent), others);
    }
}
