package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.input.InputFault;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Keys of the cloud provider that have no effect here, but with some of whose values there is no pool that could be
 * managed. Source: the cloud provider's checks of its configuration and its choice of backend pools.
 */
final class ForeignPools {

    private static final List<Limit> LIMITS = List.of(
            new Limit(
                    "serviceGatewayEnabled",
                    Set.of("false"),
                    "false",
                    "the cloud provider's Service Gateway takes their place, and refuses"
                            + " multipleStandardLoadBalancerConfigurations"),
            new Limit(
                    "loadBalancerBackendPoolConfigurationType",
                    Set.of("nodeip"),
                    "nodeIP",
                    "only pools of the nodes' IP addresses are written"),
            new Limit(
                    "loadBalancerSku",
                    Set.of("standard"),
                    "standard",
                    "only standard load balancers have pools of IP addresses"),
            new Limit(
                    "preConfiguredBackendPoolLoadBalancerTypes",
                    Set.of("", "none"),
                    "absent",
                    "the cloud provider creates no pools on these load balancers"));

    private ForeignPools() {}

    /**
     * @param key the cloud provider's key
     * @param fine the values, in lower case, with which pools can be managed
     * @param allowed the same in words
     * @param why why no pool can be managed with others
     */
    private record Limit(String key, Set<String> fine, String allowed, String why) {}

    /** Warns about each value with which no pool can be managed. */
    static void warn(JsonNode document, Path file, List<String> warnings) {
        document.properties()
                .forEach(field -> LIMITS.stream()
                        .filter(limit -> limit.key().equalsIgnoreCase(field.getKey()))
                        .filter(limit -> isSet(field.getValue())
                                && !Placeholders.isOpen(field.getKey(), field.getValue())
                                && !limit.fine()
                                        .contains(field.getValue()
                                                .asText()
                                                .strip()
                                                .toLowerCase(Locale.ROOT)))
                        .forEach(limit -> warnings.add(InputFault.line(
                                "%s: %s: found \"%s\", with which no pool can be managed: %s; must be %s"
                                        .formatted(
                                                file,
                                                field.getKey(),
                                                field.getValue().asText(),
                                                limit.why(),
                                                limit.allowed())))));
    }

    private static boolean isSet(JsonNode value) {
        return value.isValueNode() && !value.isNull() && !value.asText().isBlank();
    }
}
