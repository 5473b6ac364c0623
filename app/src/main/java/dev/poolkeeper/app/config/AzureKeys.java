package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.azure.AzureCloud;
import dev.poolkeeper.azure.AzureIdentitySettings;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.LoadBalancerSelection;
import dev.poolkeeper.azure.PollSettings;
import dev.poolkeeper.input.JsonObject;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The keys about Azure: the cloud provider's own, and a few beside them.
 *
 * @param configuration what they come to; null where neither subscription nor resource group is named
 * @param values every setting as it takes effect
 * @param notes about keys that others overrule
 */
record AzureKeys(@Nullable AzureConfiguration configuration, List<EffectiveValue> values, List<String> notes) {

    private static final int LONGEST_INTERVAL = 3_600;
    private static final int LONGEST_DEADLINE = 86_400;

    /** @param configuration the configuration file, beside which the CA file is looked for */
    static AzureKeys read(JsonObject keys, Path configuration) {
        EffectiveValues values = new EffectiveValues(keys, configuration.toString());
        List<String> notes = new ArrayList<>();
        AzureCloud cloud = cloud(keys, values, notes);
        Path caFile = values.existingFile(Keys.CA_FILE, configuration, "a PEM file");
        AzureScope scope = scope(keys, values);
        PollSettings polls = polls(values);
        AzureIdentitySettings identity = AzureIdentityKeys.read(keys, values, configuration, isMeant(values));
        RateLimitKeys limits = RateLimitKeys.read(keys, values);
        LoadBalancerSelection loadBalancers = LoadBalancerKeys.read(keys, values, isMeant(values), notes);
        AzureConfiguration azure = scope == null
                ? null
                : new AzureConfiguration(
                        AzureSettings.of(cloud, scope)
                                .withPolls(polls)
                                .withLimits(limits.reads(), limits.writes())
                                .withLoadBalancers(loadBalancers),
                        identity,
                        caFile);
        return new AzureKeys(azure, values.all(), notes);
    }

    /** Whether the file means to speak to Azure at all. */
    private static boolean isMeant(EffectiveValues values) {
        return !values.isAbsent(Keys.SUBSCRIPTION_ID) || !values.isAbsent(Keys.RESOURCE_GROUP);
    }

    private static AzureCloud cloud(JsonObject keys, EffectiveValues values, List<String> notes) {
        URI endpoint = address(keys, values, Keys.RESOURCE_MANAGER_ENDPOINT);
        URI authority = address(keys, values, Keys.AUTHORITY_HOST);
        String name = values.peek(Keys.CLOUD);
        boolean isExplicit = !values.isAbsent(Keys.RESOURCE_MANAGER_ENDPOINT) || !values.isAbsent(Keys.AUTHORITY_HOST);
        AzureCloud cloud = AzureCloud.PUBLIC;
        if (isExplicit) {
            requireBeside(keys, values, Keys.RESOURCE_MANAGER_ENDPOINT, Keys.AUTHORITY_HOST);
            requireBeside(keys, values, Keys.AUTHORITY_HOST, Keys.RESOURCE_MANAGER_ENDPOINT);
            cloud = endpoint == null || authority == null ? cloud : AzureCloud.at(endpoint, authority);
            if (name != null) {
                notes.add(Keys.CLOUD + ": not used, " + Keys.RESOURCE_MANAGER_ENDPOINT + " stands above it");
            }
        } else if (name != null) {
            cloud = named(name).orElse(cloud);
            if (named(name).isEmpty()) {
                keys.fault(Keys.CLOUD, "found \"" + name + "\", must be one of " + String.join(", ", AzureCloud.NAMES));
            }
        }
        String effective = isExplicit ? null : name == null ? AzureCloud.NAMES.get(0) : name;
        String overruled = Keys.RESOURCE_MANAGER_ENDPOINT + " stands above it";
        values.add(
                Keys.CLOUD, effective, isExplicit ? values.origin(Keys.CLOUD, overruled) : values.origin(Keys.CLOUD));
        values.add(
                Keys.RESOURCE_MANAGER_ENDPOINT, cloud.resourceManager(), values.origin(Keys.RESOURCE_MANAGER_ENDPOINT));
        values.add(Keys.AUTHORITY_HOST, cloud.authority(), values.origin(Keys.AUTHORITY_HOST));
        return cloud;
    }

    private static Optional<AzureCloud> named(String name) {
        try {
            return Optional.of(AzureCloud.named(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The message shows no address that may carry a password or a signature. */
    private static @Nullable URI address(JsonObject keys, EffectiveValues values, String key) {
        String text = values.peek(key);
        if (text == null) {
            return null;
        }
        try {
            URI address = new URI(text);
            if ("https".equals(String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT))
                    && address.getHost() != null
                    && address.getUserInfo() == null
                    && address.getQuery() == null
                    && address.getFragment() == null) {
                return address;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        String shown = text.indexOf('@') < 0 && text.indexOf('?') < 0 ? text : EffectiveValues.MASK;
        keys.fault(key, "found \"" + shown + "\", must be an absolute https address without user, query and fragment");
        return null;
    }

    private static void requireBeside(JsonObject keys, EffectiveValues values, String key, String other) {
        if (values.isAbsent(key) && !values.isAbsent(other)) {
            keys.fault(key, "is missing, must be set together with " + other);
        }
    }

    private static @Nullable AzureScope scope(JsonObject keys, EffectiveValues values) {
        requireBeside(keys, values, Keys.SUBSCRIPTION_ID, Keys.RESOURCE_GROUP);
        requireBeside(keys, values, Keys.RESOURCE_GROUP, Keys.SUBSCRIPTION_ID);
        String subscription = values.name(Keys.SUBSCRIPTION_ID, null);
        String group = values.name(Keys.RESOURCE_GROUP, null);
        String loadBalancerGroup = values.name(Keys.LOAD_BALANCER_RESOURCE_GROUP, group);
        String networkSubscription = values.name(Keys.NETWORK_RESOURCE_SUBSCRIPTION_ID, subscription);
        String vnet = values.name(Keys.VNET_NAME, null);
        String vnetGroup = values.name(Keys.VNET_RESOURCE_GROUP, group);
        return subscription == null || group == null
                ? null
                : new AzureScope(subscription, group, loadBalancerGroup, networkSubscription, vnet, vnetGroup);
    }

    private static PollSettings polls(EffectiveValues values) {
        PollSettings usual = PollSettings.DEFAULT;
        Duration interval = Duration.ofSeconds(values.whole(Keys.OPERATION_POLL_INTERVAL, 1, LONGEST_INTERVAL, (int)
                usual.interval().toSeconds()));
        Duration deadline = Duration.ofSeconds(values.whole(Keys.OPERATION_DEADLINE, 1, LONGEST_DEADLINE, (int)
                usual.deadline().toSeconds()));
        Duration longest = interval.compareTo(usual.maxInterval()) > 0 ? interval : usual.maxInterval();
        return new PollSettings(interval, longest, deadline);
    }
}
