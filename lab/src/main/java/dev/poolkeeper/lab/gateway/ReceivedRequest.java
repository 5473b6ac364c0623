package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.ports.retry.RequestHead;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a request, after rejecting everything that the backend could interpret differently.
 *
 * @param host the host name in lower case, without a port
 * @param authority the host as requested
 * @param head the parts that routes match
 * @param length of the body in bytes, 0 for none, -1 if not announced
 */
record ReceivedRequest(String host, String authority, RequestHead head, long length) {

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[[0-9a-fA-F:.]+]|[-._~%!$&'()*+,;=A-Za-z0-9]+)(:[0-9]{0,5})?");
    private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]{1,64}");
    private static final Pattern ESCAPE = Pattern.compile("%[0-9a-fA-F]{2}");
    private static final Pattern UNRESERVED = Pattern.compile("[-._~0-9A-Za-z]");
    private static final Pattern ASCII = Pattern.compile("[!-~]*");

    /** Also matches if a backend decodes slashes before it splits, or takes text after a semicolon as a parameter. */
    private static final Pattern DOT_SEGMENT =
            Pattern.compile("(?i)(/|%2f|%5c)(\\.|%2e){1,2}((;|%3b)[^/]*)?(/|%2f|%5c|$)");

    /** Fields whose duplicates could be interpreted differently. */
    private static final Set<String> ONCE = Set.of("Host", "Content-Length");

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
    static ReceivedRequest of(ClientExchange exchange) throws RefusedException {
        if (exchange.start().size() != 3 || !TOKEN.matcher(exchange.method()).matches()) {
            throw new RefusedException(OwnAnswer.bad("the request line is not METHOD TARGET HTTP/1.1"));
        }
        MessageHead head = exchange.head();
        for (String name : ONCE) {
            if (head.values(name).size() > 1) {
                throw new RefusedException(OwnAnswer.bad("the header " + name + " is present twice"));
            }
        }
        if (exchange.method().equals("CONNECT")) {
            throw new RefusedException(new OwnAnswer(501, "CONNECT is not supported"));
        }
        if (!List.of("HTTP/1.1", "HTTP/1.0").contains(exchange.protocol())) {
            throw new RefusedException(
                    exchange.protocol().matches("HTTP/[0-9]\\.[0-9]")
                            ? new OwnAnswer(505, "only HTTP/1.1 and HTTP/1.0 are supported")
                            : OwnAnswer.bad("the request line is not METHOD TARGET HTTP/1.1"));
        }
        long length = length(head, exchange.protocol());
        if (exchange.start().get(1).equals("*") && exchange.method().equals("OPTIONS")) {
            throw new RefusedException(OwnAnswer.NO_RULE);
        }
        URI target = target(exchange.start().get(1));
        String authority = authority(target, head, exchange.protocol());
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
                        exchange.method(),
                        path.isEmpty() ? "/" : withoutNeedlessEscapes(path),
                        target.getRawQuery() == null ? "" : target.getRawQuery(),
                        joined(head)),
                length);
    }

    private static URI target(String text) throws RefusedException {
        if (!ASCII.matcher(text).matches()) {
            throw new RefusedException(OwnAnswer.bad("the target must be ASCII without a fragment"));
        }
        try {
            URI target = new URI(text);
            if (target.getRawFragment() != null) {
                throw new RefusedException(OwnAnswer.bad("the target must be ASCII without a fragment"));
            }
            if (target.getScheme() != null && !target.getScheme().equalsIgnoreCase("http")) {
                throw new RefusedException(OwnAnswer.bad("the target's scheme must be http"));
            }
            return target;
        } catch (URISyntaxException e) {
            throw new RefusedException(OwnAnswer.bad("the target is not a URI"));
        }
    }

    /** Unreserved characters need no escape, and mean the same with one (RFC 3986, section 6.2.2.2). */
    private static String withoutNeedlessEscapes(String path) {
        return ESCAPE.matcher(path).replaceAll(escape -> {
            char meant = (char) Integer.parseInt(escape.group().substring(1), 16);
            return Matcher.quoteReplacement(
                    UNRESERVED.matcher(String.valueOf(meant)).matches() ? String.valueOf(meant) : escape.group());
        });
    }

    /** The authority of an absolute target takes precedence over the header (RFC 9112, section 3.2.2). */
    private static String authority(URI target, MessageHead head, String protocol) throws RefusedException {
        if (target.getRawAuthority() != null && target.getScheme() == null) {
            throw new RefusedException(OwnAnswer.bad("the path must not begin with //"));
        }
        List<String> host = head.values("Host");
        if (host.isEmpty() && protocol.equals("HTTP/1.1")) {
            throw new RefusedException(OwnAnswer.bad("the header Host is missing"));
        }
        String authority =
                target.getRawAuthority() != null ? target.getRawAuthority() : host.isEmpty() ? "" : host.get(0);
        if (!authority.isEmpty() && !AUTHORITY.matcher(authority).matches()) {
            throw new RefusedException(OwnAnswer.bad("the host is not a host name"));
        }
        return authority;
    }

    /** A dot at the end of a name only says that it is complete. */
    private static String hostOf(String authority) {
        int colon = authority.lastIndexOf(':');
        boolean hasPort = colon > authority.lastIndexOf(']');
        String host = (hasPort ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT);
        return host.length() > 1 && host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private static long length(MessageHead head, String protocol) throws RefusedException {
        List<String> encodings = head.values("Transfer-Encoding");
        List<String> lengths = head.values("Content-Length");
        if (!encodings.isEmpty()) {
            if (protocol.equals("HTTP/1.0")) {
                throw new RefusedException(OwnAnswer.bad("HTTP/1.0 has no Transfer-Encoding"));
            }
            if (!lengths.isEmpty()) {
                throw new RefusedException(OwnAnswer.bad("Content-Length and Transfer-Encoding are both present"));
            }
            if (encodings.size() > 1 || !encodings.get(0).equalsIgnoreCase("chunked")) {
                throw new RefusedException(new OwnAnswer(501, "only the transfer encoding chunked is supported"));
            }
            return MessageBody.CHUNKED;
        }
        if (lengths.isEmpty()) {
            return 0;
        }
        if (!DIGITS.matcher(lengths.get(0)).matches()) {
            throw new RefusedException(OwnAnswer.bad("Content-Length must be digits"));
        }
        return Long.parseLong(lengths.get(0));
    }

    private static Map<String, String> joined(MessageHead head) {
        Map<String, String> joined = new HashMap<>();
        head.fields()
                .forEach(field -> joined.merge(
                        field.name().toLowerCase(Locale.ROOT), field.value(), (before, next) -> before + "," + next));
        return joined;
    }
}
