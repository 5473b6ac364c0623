package dev.poolkeeper.emulators.tls;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A certificate authority with its own ECDSA key. Its certificates contain key usage and key identifiers, which strict
 * clients, such as Python since 3.13, require.
 */
final class LoopbackAuthority {

    private static final X500Name NAME = new X500Name("CN=Poolkeeper test authority");

    /** Allows for inaccurate clocks and long-running tests. */
    private static final Duration BEFORE_NOW = Duration.ofDays(1);

    private static final Duration AFTER_NOW = Duration.ofDays(397);

    private final SecureRandom chance = new SecureRandom();
    private final Instant now;
    private final KeyPair keys;
    private final JcaX509ExtensionUtils extensions;
    private final X509Certificate certificate;

    /** @param now the time around which its certificates are valid */
    LoopbackAuthority(Instant now) throws GeneralSecurityException, CertIOException, OperatorCreationException {
        this.now = now;
        this.keys = newKeys();
        this.extensions = new JcaX509ExtensionUtils();
        this.certificate = sign(certificate(NAME, keys.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign)));
    }

    X509Certificate certificate() {
        return certificate;
    }

    /** Creates a key pair. */
    KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), chance);
        return generator.generateKeyPair();
    }

    /** Creates a certificate for a server at {@code localhost} and both loopback addresses. */
    X509Certificate loopbackServer(PublicKey key)
            throws GeneralSecurityException, CertIOException, OperatorCreationException {
        GeneralNames names = new GeneralNames(new GeneralName[] {
            new GeneralName(GeneralName.dNSName, "localhost"),
            new GeneralName(GeneralName.iPAddress, "127.0.0.1"),
            new GeneralName(GeneralName.iPAddress, "::1")
        });
        return sign(certificate(new X500Name("CN=localhost"), key)
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .addExtension(Extension.subjectAlternativeName, false, names)
                .addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        extensions.createAuthorityKeyIdentifier(keys.getPublic())));
    }

    private X509v3CertificateBuilder certificate(X500Name subject, PublicKey key) throws CertIOException {
        BigInteger serial = new BigInteger(120, chance).setBit(119); // positive and of fixed length
        return new JcaX509v3CertificateBuilder(
                        NAME, serial, Date.from(now.minus(BEFORE_NOW)), Date.from(now.plus(AFTER_NOW)), subject, key)
                .addExtension(Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(key));
    }

    private X509Certificate sign(X509v3CertificateBuilder unsigned)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter()
                .getCertificate(
                        unsigned.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
    }
}
