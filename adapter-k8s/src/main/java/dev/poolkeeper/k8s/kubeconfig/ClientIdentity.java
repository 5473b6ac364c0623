package dev.poolkeeper.k8s.kubeconfig;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A client certificate with its chain, and its key.
 *
 * @param chain starts with the certificate itself
 */
record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

    private static final byte[] SIGNED = {1};

    /** @throws IllegalArgumentException if one cannot be read, or they do not match; shows no content */
    static ClientIdentity of(byte[] certificate, byte[] key) {
        List<X509Certificate> chain = Pem.certificates(certificate);
        PublicKey publicKey = chain.getFirst().getPublicKey();
        PrivateKey privateKey = Pem.privateKey(key, publicKey);
        if (!match(publicKey, privateKey)) {
            throw new IllegalArgumentException("holds a private key that is not the certificate's");
        }
        return new ClientIdentity(chain, privateKey);
    }

    private static boolean match(PublicKey publicKey, PrivateKey privateKey) {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> publicKey.getAlgorithm();
        };
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(privateKey);
            signing.update(SIGNED);
            byte[] signature = signing.sign();
            signing.initVerify(publicKey);
            signing.update(SIGNED);
            return signing.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
