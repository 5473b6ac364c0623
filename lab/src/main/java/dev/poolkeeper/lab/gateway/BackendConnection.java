package dev.poolkeeper.lab.gateway;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A connection to a backend. Closed by any thread, else used by one attempt. */
final class BackendConnection implements AutoCloseable {

    private final Socket socket = new Socket();
    private final String authority;
    private InputStream in = InputStream.nullInputStream();

    /** @param authority HOST:PORT */
    BackendConnection(String authority) {
        this.authority = authority;
    }

    String authority() {
        return authority;
    }

    /** @throws ConnectException if there is no connection, for whatever reason */
    void connect() throws IOException {
        int colon = authority.lastIndexOf(':');
        String host = authority.substring(0, colon);
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(
                    InetAddress.getByName(host), Integer.parseInt(authority.substring(colon + 1))));
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw e instanceof ConnectException refused
                    ? refused
                    : (ConnectException) new ConnectException(e.getMessage()).initCause(e);
        }
    }

    InputStream in() {
        return in;
    }

    /**
     * Whether the backend sent nothing after its response, neither more bytes nor the end.
     *
     * @param waits whether to wait for a millisecond, without which an end is not seen
     */
    boolean isQuiet(boolean waits) {
        try {
            if (in.available() > 0 || socket.isClosed()) {
                return false;
            }
            if (waits) {
                socket.setSoTimeout(1);
                in.read();
            }
            return !waits;
        } catch (SocketTimeoutException e) {
            return isBlocking();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isBlocking() {
        try {
            socket.setSoTimeout(0);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    OutputStream out() throws IOException {
        return socket.getOutputStream();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone
        }
    }
}
