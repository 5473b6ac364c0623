package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.proxy.ProxyAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a Service: {@code NAME=HOST:PORT} or {@code NAMESPACE/NAME=HOST:PORT}.
 *
 * @param namespace empty for a Service of that name in any namespace
 * @param name the name of the Service
 * @param authority {@code HOST:PORT}
 */
public record BackendAddress(String namespace, String name, String authority) {

    private static final Pattern FORM = Pattern.compile(
            "(?:([a-z0-9][-a-z0-9]*)/)?([a-z0-9][-.a-z0-9]*)=(\\[[0-9a-fA-F:]+]|[-.A-Za-z0-9]+):(\\d{1,5})");

    /** @throws BadInputException if the text is not such an address */
    public static BackendAddress parse(String text) throws BadInputException {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            int port = Integer.parseInt(form.group(4));
            if (port > 0 && port <= ProxyAddress.LAST_PORT) {
                String namespace = form.group(1) == null ? "" : form.group(1);
                return new BackendAddress(namespace, form.group(2), form.group(3) + ":" + port);
            }
        }
        throw new BadInputException(new InputFault(
                "--backend",
                "",
                "found \"" + text + "\", must be NAME=HOST:PORT or NAMESPACE/NAME=HOST:PORT, NAME being a Service's"));
    }

    /** Whether it is the address of that Service. */
    boolean isOf(String itsNamespace, String itsName) {
        return name.equals(itsName) && (namespace.isEmpty() || namespace.equals(itsNamespace));
    }

    /** The Service as named by the user. */
    String service() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
