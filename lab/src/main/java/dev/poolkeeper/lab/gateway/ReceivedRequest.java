package dev.poolkeeper.lab.gateway;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.poolkeeper.ports.retry.RequestHead;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The head of a request, after rejecting everything that the backend could interpret differently. The server has
 * already rejected conflicting lengths, unknown transfer encodings and invalid field names.
 *
 * @param host the host name in lower case, without a port
 * @param authority the host as requested
 * @param head the parts that routes match
 * @param length of the body in bytes, 0 for none, -1 if not announced
 */
record ReceivedRequest(String host, String authority, RequestHead head, long length) {

    /** In characters. */
    static final int LARGEST_HEAD = 64 << 10;

    static final int MOST_FIELDS = 128;

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[[0-9a-fA-F:.]+]|[-._~%!$&'()*+,;=A-Za-z0-9]+)(:[0-9]{0,5})?");
    private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]{1,64}");
    private static final Pattern ASCII = Pattern.compile("[!-~]*");

    /** Also matches if a backend decodes slashes before it splits, or takes text after a semicolon as a parameter. */
    private static final Pattern DOT_SEGMENT =
            Pattern.compile("(?i)(/|%2f|%5c)(\\.|%2e){1,2}((;|%3b)[^/]*)?(/|%2f|%5c|$)");

    /** Fields whose duplicates could be interpreted differently. */
    private static final Set<String> ONCE = Set.of("Host", "Content-Length", "Transfer-Encoding");

    /** The request cannot be forwarded. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient OwnAnswer answer;

        RefusedException(OwnAnswer answer) {
            super(answer.text());
            this.answer = answer;
        }

        OwnAnswer answer() {
            return answer;
        }
    }

    /** @throws RefusedException if the request is ambiguous, or the gateway does not support it */
    static ReceivedRequest of(HttpExchange exchange) throws RefusedException {
        Headers headers = exchange.getRequestHeaders();
        refuseLargeHeads(exchange.getRequestURI(), headers);
        for (String name : ONCE) {
            if (headers.getOrDefault(name, List.of()).size() > 1) {
                throw new RefusedException(OwnAnswer.bad("the header " + name + " is present twice"));
            }
        }
        if (!TOKEN.matcher(exchange.getRequestMethod()).matches()) {
            throw new RefusedException(OwnAnswer.bad("the method is not a token"));
        }
        if (exchange.getRequestMethod().equals("CONNECT")) {
            throw new RefusedException(new OwnAnswer(501, "CONNECT is not supported"));
        }
        if (!List.of("HTTP/1.1", "HTTP/1.0").contains(exchange.getProtocol())) {
            throw new RefusedException(new OwnAnswer(505, "only HTTP/1.1 and HTTP/1.0 are supported"));
        }
        if (exchange.getProtocol().equals("HTTP/1.0") && headers.containsKey("Transfer-Encoding")) {
            throw new RefusedException(OwnAnswer.bad("HTTP/1.0 has no Transfer-Encoding"));
        }
        URI target = exchange.getRequestURI();
        if (target.getRawFragment() != null || !ASCII.matcher(target.toString()).matches()) {
            throw new RefusedException(OwnAnswer.bad("the target must be ASCII without a fragment"));
        }
        if (target.getScheme() != null && !target.getScheme().equalsIgnoreCase("http")) {
            throw new RefusedException(OwnAnswer.bad("the target's scheme must be http"));
        }
        String authority = authority(target, headers, exchange.getProtocol());
        String path = target.getRawPath();
        if (path == null
                || !path.isEmpty() && !path.startsWith("/")
                || DOT_SEGMENT.matcher(path).find()) {
            throw new RefusedException(OwnAnswer.bad("the path must begin with / and have no . or .. segments"));
        }
        return new ReceivedRequest(
                hostOf(authority),
                authority,
                new RequestHead(
                        exchange.getRequestMethod(),
                        path.isEmpty() ? "/" : path,
                        target.getRawQuery() == null ? "" : target.getRawQuery(),
                        joined(headers)),
                length(headers));
    }

    /** The server's own limits apply only if nothing in the process used it before they were set. */
    private static void refuseLargeHeads(URI target, Headers headers) throws RefusedException {
        int fields = 0;
        int size = 0;
        for (Map.Entry<String, List<String>> each : headers.entrySet()) {
            fields += each.getValue().size();
            for (String value : each.getValue()) {
                size += each.getKey().length() + value.length();
            }
        }
        if (target.toString().length() > LARGEST_HEAD) {
            throw new RefusedException(new OwnAnswer(414, "the target is too long"));
        }
        if (fields > MOST_FIELDS || size > LARGEST_HEAD) {
            throw new RefusedException(new OwnAnswer(431, "the headers are too many or too long"));
        }
    }

    /** The authority of an absolute target takes precedence over the header (RFC 9112, section 3.2.2). */
    private static String authority(URI target, Headers headers, String protocol) throws RefusedException {
        if (target.getRawAuthority() != null && target.getScheme() == null) {
            throw new RefusedException(OwnAnswer.bad("the path must not begin with //"));
        }
        String host = headers.getFirst("Host");
        if (host == null && protocol.equals("HTTP/1.1")) {
            throw new RefusedException(OwnAnswer.bad("the header Host is missing"));
        }
        String authority = target.getRawAuthority() != null ? target.getRawAuthority() : host == null ? "" : host;
        if (!authority.isEmpty() && !AUTHORITY.matcher(authority).matches()) {
            throw new RefusedException(OwnAnswer.bad("the host is not a host name"));
        }
        return authority;
    }

    private static String hostOf(String authority) {
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        return (hasPort ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT);
    }

    private static long length(Headers headers) throws RefusedException {
        if (headers.containsKey("Transfer-Encoding")) {
            return -1;
        }
        String length = headers.getFirst("Content-Length");
        if (length == null) {
            return 0;
        }
        if (!DIGITS.matcher(length).matches()) {
            throw new RefusedException(OwnAnswer.bad("Content-Length must be digits"));
        }
        return Long.parseLong(length);
    }

    private static Map<String, String> joined(Headers headers) {
        Map<String, String> joined = new HashMap<>();
        headers.forEach((name, values) -> joined.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
        return joined;
    }
}
