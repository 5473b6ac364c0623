package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.lab.gateway.MessageHead.TooLargeException;
import dev.poolkeeper.ports.Time;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of clients: each has a virtual thread, which reads one request after another and passes it on.
 * Thread-safe.
 */
final class ClientConnections implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ClientConnections.class);
    private static final int BACKLOG = 1_024;
    private static final int MOST = 10_000;

    /** Within which a request must arrive completely. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** How long a client that still sends is listened to after its response, so that it can read it. */
    private static final int LINGER_MILLIS = 1_000;

    private static final int LINGER_BYTES = 64 << 20;

    private final ServerSocket server = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads;
    private final Handler handler;
    private final Time time;

    /** Responds to a request. */
    interface Handler {
        /** @throws IOException if the client went away; its connection is closed then */
        void handle(ClientExchange exchange) throws IOException;

        /** Responds to a head that cannot be read. */
        void refuse(ClientExchange exchange, OwnAnswer answer) throws IOException;
    }

    /** @throws IOException if the address is not local or the port is in use */
    ClientConnections(InetSocketAddress address, ExecutorService threads, Handler handler, Time time)
            throws IOException {
        this.threads = threads;
        this.handler = handler;
        this.time = time;
        server.bind(address, BACKLOG);
        threads.execute(this::accept);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) server.getLocalSocketAddress();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                if (open.size() > MOST) {
                    close(socket);
                } else {
                    threads.execute(() -> serve(socket));
                }
            } catch (IOException | RuntimeException e) {
                if (!server.isClosed()) {
                    log.atWarn().setCause(e).log("A connection could not be accepted");
                }
            }
        }
    }

    private void serve(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
            Arriving arriving = new Arriving(socket);
            InputStream in = new BufferedInputStream(arriving);
            OutputStream out = new BufferedOutputStream(socket.getOutputStream());
            boolean isNext = true;
            while (isNext) {
                arriving.begins();
                isNext = serveOne(socket, in, out);
            }
            linger(socket);
        } catch (IOException e) {
            // the client went away, or was too slow
        } finally {
            close(socket);
        }
    }

    private boolean serveOne(Socket socket, InputStream in, OutputStream out) throws IOException {
        MessageHead head;
        try {
            head = MessageHead.read(in);
        } catch (ProtocolException | EOFException e) {
            MessageHead unread = new MessageHead("- - -", List.of());
            handler.refuse(
                    new ClientExchange(unread, in, out, socket.getInetAddress(), time.instant()),
                    e instanceof TooLargeException large
                            ? large.isStart() ? OwnAnswer.LONG_TARGET : OwnAnswer.LARGE_HEAD
                            : OwnAnswer.bad(String.valueOf(e.getMessage())));
            return false;
        }
        if (head == null) {
            return false;
        }
        ClientExchange exchange = new ClientExchange(head, in, out, socket.getInetAddress(), time.instant());
        handler.handle(exchange);
        return exchange.isKept();
    }

    /** A connection that is closed with unread data is reset, and the client may lose the response. */
    private static void linger(Socket socket) throws IOException {
        socket.shutdownOutput();
        socket.setSoTimeout(LINGER_MILLIS);
        byte[] piece = new byte[64 << 10];
        InputStream rest = socket.getInputStream();
        int read = 0;
        for (long all = 0; read >= 0 && all < LINGER_BYTES; all += read) {
            read = rest.read(piece);
        }
    }

    private void close(Socket socket) {
        open.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone
        }
    }

    /** What a client sends, within the time that a request has. */
    private final class Arriving extends InputStream {

        private final Socket socket;
        private final InputStream in;
        private volatile long deadline;

        Arriving(Socket socket) throws IOException {
            this.socket = socket;
            this.in = socket.getInputStream();
        }

        void begins() {
            deadline = time.nanoTime() + LONGEST.toNanos();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int offset, int most) throws IOException {
            long left = Duration.ofNanos(deadline - time.nanoTime()).toMillis();
            if (left <= 0) {
                throw new SocketTimeoutException("the request did not arrive in time");
            }
            socket.setSoTimeout((int) left);
            return in.read(to, offset, most);
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }
    }

    /** Closes all connections at once. */
    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // it is closed
        }
        List.copyOf(open).forEach(this::close);
    }
}
