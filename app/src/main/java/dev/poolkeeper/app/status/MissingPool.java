package dev.poolkeeper.app.status;

import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.ServiceName;

/** Explains why a local Service has no pool. */
final class MissingPool {

    /** Source: Microsoft, <em>Naming rules and restrictions for Azure resources</em>. */
    private static final int LONGEST_NAME = 80;

    private MissingPool() {}

    /** One sentence, without a full stop. */
    static String why(ServiceName service) {
        int length = IpFamily.IPV4.poolName(service).toString().length();
        int ofIpv6 = IpFamily.IPV6.poolName(service).toString().length();
        if (length > LONGEST_NAME) {
            return ("the name of its pool would have %s characters, and Azure allows %s: no load balancer can hold it;"
                            + " shorten the name of the Service or of its namespace")
                    .formatted(length, LONGEST_NAME);
        }
        return "no selected load balancer has a backend pool with its name"
                + (ofIpv6 > LONGEST_NAME
                        ? "; for IPv6 that name would have %s characters, and Azure allows %s"
                                .formatted(ofIpv6, LONGEST_NAME)
                        : "");
    }
}
