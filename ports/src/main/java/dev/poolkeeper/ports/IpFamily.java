package dev.poolkeeper.ports;

/** The IP families of a Service, in the order in which one Service's pools are handled. */
public enum IpFamily {
    /** Pool names of this family are {@code namespace-name}. */
    IPV4(""),
    /** Pool names of this family are {@code namespace-name-ipv6}. */
    IPV6("-ipv6");

    private final String poolSuffix;

    IpFamily(String poolSuffix) {
        this.poolSuffix = poolSuffix;
    }

    /** As Kubernetes writes it, {@code IPv4} or {@code IPv6}. */
    public String text() {
        return this == IPV4 ? "IPv4" : "IPv6";
    }

    /**
     * The name of a local Service's pool in this family. Two Services can have the same name ({@code a/b-c} and
     * {@code a-b/c}, or an IPv4 Service named {@code web-ipv6} and the IPv6 family of {@code web}).
     */
    public ArmName poolName(ServiceName service) {
        return ArmName.of(service.namespace() + "-" + service.name() + poolSuffix);
    }

    /** The family for which a local Service has this pool; a Service never has one pool for both. */
    public static IpFamily of(ServiceName service, PoolKey pool) {
        return pool.pool().equals(IPV6.poolName(service)) ? IPV6 : IPV4;
    }
}
