package dev.poolkeeper.k8s.kubeconfig;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Pattern;

/** Texts that are sent in headers. */
final class HeaderText {

    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]*");
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");
    private static final Pattern IN_NAMES = Pattern.compile("[a-zA-Z0-9!#$&'*+.^_`|~-]");

    /** The fault of a value that cannot be sent. */
    static final String NOT_ALLOWED = "contains characters that an HTTP header does not allow";

    private HeaderText() {}

    /**
     * A bearer token without the white space around it.
     *
     * @throws IllegalArgumentException if it cannot be sent in a header; the message does not contain it
     */
    static String token(String text) {
        String stripped = text.strip();
        if (!TOKEN.matcher(stripped).matches()) {
            throw new IllegalArgumentException(NOT_ALLOWED);
        }
        return stripped;
    }

    static boolean isValue(String text) {
        return VALUE.matcher(text).matches();
    }

    static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Makes any text part of a header's name, as Kubernetes clients do: other characters are percent-encoded. */
    static String inName(String text) {
        StringBuilder name = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            String one = String.valueOf((char) (b & 0xff));
            name.append(b >= 0 && IN_NAMES.matcher(one).matches() ? one : "%%%02X".formatted(b & 0xff));
        }
        return name.toString();
    }
}
