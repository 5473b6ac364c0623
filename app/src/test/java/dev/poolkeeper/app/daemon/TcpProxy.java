package dev.poolkeeper.app.daemon;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A connection between a client and a server on loopback, which can be cut or jammed. Thread-safe. */
final class TcpProxy implements AutoCloseable {

    private enum Way {
        OPEN,
        CUT,
        JAMMED_OUT,
        JAMMED
    }

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Way way = Way.OPEN;

    /** @param target the server's port */
    TcpProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Closes all connections, and every new one immediately. */
    void cut() {
        change(Way.CUT);
        sockets.forEach(TcpProxy::close);
    }

    /** Accepts everything and forwards nothing: it arrives when the connection is open again. */
    void jam() {
        change(Way.JAMMED);
    }

    /** Like {@link #jam}, but only for the client's requests: the server's responses still pass. */
    void jamOut() {
        change(Way.JAMMED_OUT);
    }

    void open() {
        change(Way.OPEN);
    }

    private void change(Way to) {
        lock.lock();
        try {
            way = to;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** @param sent whether it is the direction from the client to the server */
    private void awaitNoJam(boolean sent) {
        lock.lock();
        try {
            while (way == Way.JAMMED || (sent && way == Way.JAMMED_OUT)) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                sockets.add(client);
                if (way == Way.CUT) {
                    close(client);
                } else {
                    Thread.ofVirtual().start(() -> connect(client));
                }
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void connect(Socket client) {
        try {
            awaitNoJam(true);
            Socket onward = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(onward);
            Thread.ofVirtual().start(() -> pump(client, onward, true));
            pump(onward, client, false);
        } catch (IOException e) {
            close(client);
        }
    }

    /** Ends both when one ends. */
    private void pump(Socket from, Socket to, boolean sent) {
        byte[] buffer = new byte[16_384];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitNoJam(sent);
                out.write(buffer, 0, read);
                out.flush();
            }
            awaitNoJam(sent);
        } catch (IOException e) {
            // one of them went away
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // already closed
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }
}
