package dev.poolkeeper.azure.identity;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file in {@code aadClientCertPath}, checked as the SDK reads it, which is only when a token is needed. All
 * messages name the file and show no content.
 */
record ClientCertificateFile(String path, byte[] bytes) {

    private static final int LARGEST = 1 << 20;
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*+-----END CERTIFICATE-----");
    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*+)-----END PRIVATE KEY-----");

    /** @throws IllegalArgumentException if the file cannot be read */
    static ClientCertificateFile read(String path) {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            return new ClientCertificateFile(path, in.readNBytes(LARGEST));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "aadClientCertPath is \"%s\", must be a file that can be read and is not empty".formatted(path), e);
        }
    }

    /** Whether it is text, and not PKCS #12. */
    boolean isPem() {
        return new String(bytes, 0, Math.min(bytes.length, 64), StandardCharsets.ISO_8859_1).contains("-----BEGIN");
    }

    /** @throws IllegalArgumentException if it lacks a certificate or an RSA key, or one cannot be read */
    void checkPem() {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<String> certificates =
                CERTIFICATE.matcher(text).results().map(MatchResult::group).toList();
        String key = KEY.matcher(text)
                .results()
                .map(match -> match.group(1))
                .findFirst()
                .orElse("");
        if (certificates.isEmpty() || key.isEmpty()) {
            throw fault("must have a certificate and its RSA key in PEM, the key as PKCS #8 and not encrypted", null);
        }
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (String certificate : certificates) {
                factory.generateCertificate(
                        new ByteArrayInputStream(certificate.getBytes(StandardCharsets.ISO_8859_1)));
            }
        } catch (GeneralSecurityException e) {
            throw fault("has a certificate that cannot be read", e);
        }
        try {
            byte[] der = Base64.getDecoder().decode(key.replaceAll("\\s", ""));
            KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw fault("has a private key that cannot be read, or is no RSA key", e);
        }
    }

    /** @throws IllegalArgumentException if it cannot be opened, or does not have exactly one private key */
    void checkPkcs12(String password) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password.toCharArray());
            int keys = 0;
            for (String alias : Collections.list(store.aliases())) {
                if (store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class)) {
                    store.getKey(alias, password.toCharArray());
                    keys++;
                }
            }
            if (keys != 1) {
                throw fault("has %s private keys, must have one with its certificate".formatted(keys), null);
            }
        } catch (IOException e) {
            throw e.getCause() instanceof UnrecoverableKeyException
                    ? wrongPassword(e)
                    : fault("must be PEM or PKCS #12", e);
        } catch (UnrecoverableKeyException e) {
            throw wrongPassword(e);
        } catch (GeneralSecurityException e) {
            throw fault("has a key or certificate that cannot be read", e);
        }
    }

    private IllegalArgumentException wrongPassword(Exception e) {
        return new IllegalArgumentException(
                "aadClientCertPassword is not the password of aadClientCertPath \"%s\"".formatted(path), e);
    }

    private IllegalArgumentException fault(String problem, @Nullable Exception e) {
        return new IllegalArgumentException("aadClientCertPath is \"%s\", which %s".formatted(path, problem), e);
    }
}
