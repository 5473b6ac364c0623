package dev.poolkeeper.azure.http;

import java.io.IOException;
import java.io.Serial;

/** The proxy did not pass the request on, because it asks for credentials. */
final class ProxyRefusedException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * @param address the proxy's host and port
     * @param variable the environment variable that names it
     */
    ProxyRefusedException(String address, String variable) {
        super("the proxy %s (%s) asks for credentials, which are not supported".formatted(address, variable));
    }
}
