package dev.poolkeeper.ports;

/**
 * A Kubernetes Service by namespace and name. Kubernetes names are lower case and compare exactly.
 *
 * <p>Sorted as the string {@code namespace/name}, which is not the order of namespace first, name second: {@code a-b/c}
 * comes before {@code a/b-c}.
 *
 * @param namespace the namespace, not blank, without a slash
 * @param name the name, not blank, without a slash
 */
public record ServiceName(String namespace, String name) implements Comparable<ServiceName> {

    /** @throws IllegalArgumentException if a part is blank or contains a slash */
    public ServiceName {
        requirePart("namespace", namespace);
        requirePart("name", name);
    }

    private static void requirePart(String part, String value) {
        if (value.isBlank() || value.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "a Service's %s must not be blank or contain a slash, got \"%s\"".formatted(part, value));
        }
    }

    /**
     * Parses {@code namespace/name}.
     *
     * @throws IllegalArgumentException if the text does not have that form
     */
    public static ServiceName parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("a Service is written namespace/name, got \"" + text + "\"");
        }
        return new ServiceName(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public int compareTo(ServiceName other) {
        return namespace.equals(other.namespace)
                ? name.compareTo(other.name)
                : toString().compareTo(other.toString());
    }

    /** {@code namespace/name}. */
    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
