package dev.poolkeeper.k8s.kubeconfig;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Reads certificates and private keys in PEM, as OpenSSL and Kubernetes tools write them. */
final class Pem {

    /** In bytes: the largest file that is read. */
    static final int LARGEST = 1 << 20;

    /** The type, the headers of the older form, such as {@code Proc-Type: 4,ENCRYPTED}, and the content. */
    private static final Pattern BLOCK = Pattern.compile(
            "-----BEGIN ([A-Z0-9 ]+)-----\\s*+((?:[A-Za-z0-9-]++:[^\\n]*\\n){0,9}+)([^-]*+)-----END \\1-----");

    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 0x04;
    private static final byte[] VERSION_0 = {2, 1, 0};

    private Pem() {}

    /** @throws IllegalArgumentException if there is none, or one is invalid; the message shows no content */
    static List<X509Certificate> certificates(byte[] pem) {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (MatchResult block : blocks(pem)) {
                if (block.group(1).equals("CERTIFICATE")) {
                    certificates.add(
                            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes(block))));
                }
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException("holds a certificate that cannot be read", e);
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException("holds no certificate in PEM");
        }
        return List.copyOf(certificates);
    }

    /**
     * The first private key: PKCS #8, or the older forms for RSA and elliptic curves, none encrypted.
     *
     * @param of its certificate's key
     * @throws IllegalArgumentException if there is none; the message shows no content
     */
    static PrivateKey privateKey(byte[] pem, PublicKey of) {
        for (MatchResult block : blocks(pem)) {
            String type = block.group(1);
            if (type.equals("ENCRYPTED PRIVATE KEY") || block.group(2).contains("ENCRYPTED")) {
                throw new IllegalArgumentException("holds an encrypted private key, must not be encrypted");
            }
            if (type.endsWith("PRIVATE KEY")) {
                return privateKey(type, block, of);
            }
        }
        throw new IllegalArgumentException("holds no private key in PEM");
    }

    private static PrivateKey privateKey(String type, MatchResult block, PublicKey of) {
        try {
            byte[] der = bytes(block);
            byte[] pkcs8 = type.equals("PRIVATE KEY") ? der : pkcs8(algorithm(of.getEncoded()), der);
            return KeyFactory.getInstance(of.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalArgumentException("holds a private key that is not the certificate's", e);
        }
    }

    private static List<MatchResult> blocks(byte[] pem) {
        return BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1))
                .results()
                .toList();
    }

    private static byte[] bytes(MatchResult block) {
        return Base64.getDecoder().decode(block.group(3).replaceAll("\\s", ""));
    }

    /** The first element of a {@code SubjectPublicKeyInfo}: the algorithm with its curve. */
    private static byte[] algorithm(byte[] publicKey) {
        int start = header(publicKey, 0);
        int length = publicKey[start + 1] & 0x7f; // fewer than 128 bytes for all algorithms
        return Arrays.copyOfRange(publicKey, start, start + 2 + length);
    }

    /** The length of the tag and the length of an element. */
    private static int header(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        return length < 0x80 ? 2 : 2 + (length & 0x7f);
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return element(SEQUENCE, VERSION_0, algorithm, element(OCTETS, key));
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        out.writeBytes(new byte[] {(byte) 0x83, (byte) (length >> 16), (byte) (length >> 8), (byte) length});
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
