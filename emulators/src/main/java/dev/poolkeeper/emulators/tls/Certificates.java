package dev.poolkeeper.emulators.tls;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * X.509 certificates (RFC 5280) with ECDSA keys. They carry key usage and key identifiers, without which strict
 * clients, such as Python's since 3.13, refuse them.
 */
final class Certificates {

    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid(1, 2, 840, 10045, 4, 3, 2));

    /** Enough for clocks that go wrong and for tests that run for long. */
    private static final Duration BEFORE_NOW = Duration.ofDays(1);

    private static final Duration AFTER_NOW = Duration.ofDays(397);

    private Certificates() {}

    static X509Certificate authority(String name, KeyPair keys, BigInteger serial, Instant now)
            throws GeneralSecurityException {
        byte[] extensions = Der.sequence(
                extension(true, Der.oid(2, 5, 29, 19), Der.sequence(Der.trueValue(), Der.integer(BigInteger.ZERO))),
                extension(true, Der.oid(2, 5, 29, 15), Der.bitString(1, new byte[] {0x06})), // keyCertSign, cRLSign
                subjectKey(keys.getPublic()));
        return sign(name, name, keys.getPublic(), keys.getPrivate(), serial, now, extensions);
    }

    /** A server's certificate for {@code localhost} and both loopback addresses. */
    static X509Certificate server(
            String name, PublicKey key, KeyPair authority, String authorityName, BigInteger serial, Instant now)
            throws GeneralSecurityException {
        byte[] loopback6 = new byte[16];
        loopback6[15] = 1;
        byte[] names = Der.sequence(
                Der.implicit(2, "localhost".getBytes(StandardCharsets.US_ASCII)),
                Der.implicit(7, new byte[] {127, 0, 0, 1}),
                Der.implicit(7, loopback6));
        byte[] extensions = Der.sequence(
                extension(true, Der.oid(2, 5, 29, 19), Der.sequence()),
                extension(true, Der.oid(2, 5, 29, 15), Der.bitString(7, new byte[] {(byte) 0x80})), // digitalSignature
                extension(false, Der.oid(2, 5, 29, 37), Der.sequence(Der.oid(1, 3, 6, 1, 5, 5, 7, 3, 1))), // serverAuth
                extension(false, Der.oid(2, 5, 29, 17), names),
                subjectKey(key),
                extension(
                        false,
                        Der.oid(2, 5, 29, 35),
                        Der.sequence(Der.implicit(0, keyIdentifier(authority.getPublic())))));
        return sign(name, authorityName, key, authority.getPrivate(), serial, now, extensions);
    }

    private static X509Certificate sign(
            String subject,
            String issuer,
            PublicKey key,
            PrivateKey signer,
            BigInteger serial,
            Instant now,
            byte[] extensions)
            throws GeneralSecurityException {
        byte[] toBeSigned = Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)), // version 3
                Der.integer(serial),
                ECDSA_WITH_SHA256,
                name(issuer),
                Der.sequence(Der.time(now.minus(BEFORE_NOW)), Der.time(now.plus(AFTER_NOW))),
                name(subject),
                key.getEncoded(),
                Der.explicit(3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer);
        signature.update(toBeSigned);
        byte[] certificate = Der.sequence(toBeSigned, ECDSA_WITH_SHA256, Der.bitString(0, signature.sign()));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid(2, 5, 4, 3), Der.utf8(commonName))));
    }

    private static byte[] subjectKey(PublicKey key) throws GeneralSecurityException {
        return extension(false, Der.oid(2, 5, 29, 14), Der.octetString(keyIdentifier(key)));
    }

    private static byte[] extension(boolean critical, byte[] oid, byte[] value) {
        return critical
                ? Der.sequence(oid, Der.trueValue(), Der.octetString(value))
                : Der.sequence(oid, Der.octetString(value));
    }

    /** Any value that differs by key does; this is RFC 7093's first method on the whole key structure. */
    private static byte[] keyIdentifier(PublicKey key) throws GeneralSecurityException {
        return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), 20);
    }
}
