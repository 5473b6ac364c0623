package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.TlsSettings;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Has one TLS context for each client certificate, and only the last one. Thread-safe; blocks as its source does. */
final class ClientTls implements TlsSettings {

    private final Tls tls;
    private final IdentitySource source;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<ClientIdentity> identity = Optional.empty();
    private @Nullable SSLContext context;

    ClientTls(Tls tls, IdentitySource source) {
        this.tls = tls;
        this.source = source;
    }

    @Override
    public SSLContext context() {
        lock.lock();
        try {
            Optional<ClientIdentity> current = source.identity();
            SSLContext known = context;
            if (known != null && current.equals(identity)) {
                return known;
            }
            SSLContext fresh = tls.context(current);
            identity = current;
            context = fresh;
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void refused(SSLContext refused) {
        lock.lock();
        try {
            if (refused.equals(context)) { // not that of an earlier certificate
                identity.ifPresent(source::refused);
            }
        } finally {
            lock.unlock();
        }
    }
}
