package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.ports.IpAddress;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * Connects under another name than that in the server's address: this name is asked for (SNI) and has to be in the
 * server's certificate. For engines alone, which is what the JDK's HTTP client uses.
 */
final class ServerNameContext extends SSLContextSpi {

    private final SSLContext context;
    private final String name;

    private ServerNameContext(SSLContext context, String name) {
        this.context = context;
        this.name = name;
    }

    static SSLContext of(SSLContext context, String name) {
        return new Named(new ServerNameContext(context, name), context);
    }

    /** Whether it can be asked for. */
    static boolean isName(String name) {
        if (name.isEmpty()) {
            return true;
        }
        try {
            serverNames(name);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static final class Named extends SSLContext {
        Named(ServerNameContext named, SSLContext original) {
            super(named, original.getProvider(), original.getProtocol());
        }
    }

    @Override
    protected SSLEngine engineCreateSSLEngine() {
        return engineCreateSSLEngine(name, -1);
    }

    /** The JDK checks the certificate against the host that its engine was created for. */
    @Override
    protected SSLEngine engineCreateSSLEngine(String host, int port) {
        return new ServerNameEngine(context.createSSLEngine(name, port), serverNames(name));
    }

    /** Addresses are not asked for. */
    private static List<SNIServerName> serverNames(String name) {
        return IpAddress.parse(name).isPresent() ? List.of() : List.of(new SNIHostName(name));
    }

    @Override
    protected SSLSessionContext engineGetClientSessionContext() {
        return context.getClientSessionContext();
    }

    @Override
    protected SSLSessionContext engineGetServerSessionContext() {
        return context.getServerSessionContext();
    }

    @Override
    protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random)
            throws KeyManagementException {
        throw new KeyManagementException("already initialized");
    }

    @Override
    protected SSLSocketFactory engineGetSocketFactory() {
        throw new UnsupportedOperationException("engines only");
    }

    @Override
    protected SSLServerSocketFactory engineGetServerSocketFactory() {
        throw new UnsupportedOperationException("engines only");
    }

    @Override
    protected SSLParameters engineGetDefaultSSLParameters() {
        return context.getDefaultSSLParameters();
    }

    @Override
    protected SSLParameters engineGetSupportedSSLParameters() {
        return context.getSupportedSSLParameters();
    }
}
