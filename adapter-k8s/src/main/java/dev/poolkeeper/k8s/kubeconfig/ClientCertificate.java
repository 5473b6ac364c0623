package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client certificate of a kubeconfig. Files are read again for each request, because they are replaced before they
 * expire; while they cannot be read, or do not match, the last pair is used. Thread-safe.
 */
final class ClientCertificate implements IdentitySource {

    private static final Logger log = LoggerFactory.getLogger(ClientCertificate.class);
    private static final String CERTIFICATE = "client-certificate";
    private static final String KEY = "client-key";

    private final FileOrData certificate;
    private final FileOrData key;
    private volatile Pair last;

    private ClientCertificate(FileOrData certificate, FileOrData key, Pair last) {
        this.certificate = certificate;
        this.key = key;
        this.last = last;
    }

    /** Invalid values become faults. */
    static IdentitySource read(Entry user) {
        FileOrData certificate = FileOrData.read(user, CERTIFICATE);
        FileOrData key = FileOrData.read(user, KEY);
        boolean isNamed = Kubeconfig.isSet(user.keys(), CERTIFICATE, CERTIFICATE + "-data");
        boolean hasKey = Kubeconfig.isSet(user.keys(), KEY, KEY + "-data");
        if (isNamed != hasKey) {
            user.keys().fault(isNamed ? KEY : CERTIFICATE, "is missing, a client certificate and its key go together");
        }
        byte[] chain = certificate.bytes();
        byte[] privateKey = key.bytes();
        if (chain == null || privateKey == null) {
            return IdentitySource.NONE;
        }
        try {
            Pem.certificates(chain);
        } catch (IllegalArgumentException e) {
            user.keys().fault(certificate.key(), String.valueOf(e.getMessage()));
            return IdentitySource.NONE;
        }
        try {
            return new ClientCertificate(certificate, key, Pair.of(chain, privateKey));
        } catch (IllegalArgumentException e) {
            user.keys().fault(key.key(), String.valueOf(e.getMessage()));
            return IdentitySource.NONE;
        }
    }

    @Override
    public Optional<ClientIdentity> identity() {
        Pair known = last;
        try {
            byte[] chain = current(certificate);
            byte[] privateKey = current(key);
            if (!known.isOf(chain, privateKey)) {
                known = Pair.of(chain, privateKey);
                last = known;
            }
        } catch (IOException | IllegalArgumentException e) {
            log.atDebug()
                    .addKeyValue("file", certificate.file())
                    .addKeyValue("error", e.getMessage())
                    .log("Client certificate unusable; using the last one");
        }
        return Optional.of(known.identity());
    }

    private static byte[] current(FileOrData value) throws IOException {
        Path file = value.file();
        byte[] data = value.bytes();
        return file == null ? data == null ? new byte[0] : data : Files.readAllBytes(file);
    }

    /** What the files held, and what that is. */
    private record Pair(byte[] chain, byte[] key, ClientIdentity identity) {

        static Pair of(byte[] chain, byte[] key) {
            return new Pair(chain, key, ClientIdentity.of(chain, key));
        }

        boolean isOf(byte[] otherChain, byte[] otherKey) {
            return Arrays.equals(chain, otherChain) && Arrays.equals(key, otherKey);
        }
    }
}
