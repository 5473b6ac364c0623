package dev.poolkeeper.app.config;

import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.input.proxy.Proxies;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the keys of Azure. */
final class AzureKeys {

    private static final List<String> PROXY_VARIABLES = List.of("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY");

    private AzureKeys() {}

    /** The configuration; null if neither subscription nor resource group is set. */
    static @Nullable AzureConfiguration read(Settings settings, Proxies proxies) {
        boolean isMeant = settings.isSet(Keys.SUBSCRIPTION_ID) || settings.isSet(Keys.RESOURCE_GROUP);
        AzureCloud cloud = withAudience(cloud(settings), settings);
        AzureScope scope = scope(settings);
        AzureIdentitySettings identity = AzureIdentityKeys.read(settings, isMeant);
        disableUnusedLimits(settings);
        show(proxies, settings);
        LoadBalancerSelection loadBalancers = LoadBalancerKeys.read(settings, isMeant);
        return scope == null
                ? null
                : new AzureConfiguration(
                        AzureSettings.of(cloud, scope)
                                .withPolls(polls(settings))
                                .withLimits(
                                        limit(settings, Keys.RATE_LIMIT_QPS, Keys.RATE_LIMIT_BUCKET),
                                        limit(settings, Keys.RATE_LIMIT_QPS_WRITE, Keys.RATE_LIMIT_BUCKET_WRITE))
                                .withLoadBalancers(loadBalancers)
                                .withNetworkApiVersion(settings.get(Keys.NETWORK_API_VERSION)),
                        identity,
                        settings.find(Keys.CA_FILE),
                        proxies);
    }

    private static AzureCloud cloud(Settings settings) {
        String name = settings.get(Keys.CLOUD);
        if (!settings.isSet(Keys.RESOURCE_MANAGER_ENDPOINT) && !settings.isSet(Keys.AUTHORITY_HOST)) {
            AzureCloud cloud = named(name).orElse(AzureCloud.PUBLIC);
            if (named(name).isEmpty()) {
                settings.fault(
                        Keys.CLOUD, "found \"" + name + "\", must be one of " + String.join(", ", AzureCloud.NAMES));
            }
            settings.replace(
                    Keys.RESOURCE_MANAGER_ENDPOINT,
                    cloud.resourceManager(),
                    settings.originOf(Keys.RESOURCE_MANAGER_ENDPOINT));
            settings.replace(Keys.AUTHORITY_HOST, cloud.authority(), settings.originOf(Keys.AUTHORITY_HOST));
            return cloud;
        }
        if (settings.isSet(Keys.AUTHORITY_HOST)) {
            settings.require(Keys.RESOURCE_MANAGER_ENDPOINT, "must be set together with " + Keys.AUTHORITY_HOST.name());
        }
        if (settings.isSet(Keys.CLOUD)) {
            settings.note(
                    Keys.CLOUD.name() + ": not used, " + Keys.RESOURCE_MANAGER_ENDPOINT.name() + " takes precedence");
        }
        settings.disable(Keys.CLOUD, Keys.RESOURCE_MANAGER_ENDPOINT.name() + " takes precedence");
        URI endpoint = settings.find(Keys.RESOURCE_MANAGER_ENDPOINT);
        URI authority = settings.find(Keys.AUTHORITY_HOST);
        if (endpoint == null) {
            return AzureCloud.PUBLIC;
        }
        if (authority != null) {
            return AzureCloud.at(endpoint, authority);
        }
        settings.replace(Keys.AUTHORITY_HOST, null, "from /metadata/endpoints");
        return AzureCloud.discoveredAt(endpoint);
    }

    private static AzureCloud withAudience(AzureCloud cloud, Settings settings) {
        String audience = settings.find(Keys.TOKEN_AUDIENCE);
        if (audience != null) {
            return cloud.withAudience(audience);
        }
        settings.replace(Keys.TOKEN_AUDIENCE, cloud.audience(), settings.originOf(Keys.TOKEN_AUDIENCE));
        return cloud;
    }

    private static void show(Proxies proxies, Settings settings) {
        for (String name : PROXY_VARIABLES) {
            String value = proxies.variables().get(name);
            if (value != null) {
                settings.show(name, value.isEmpty() ? "none" : value, value.isEmpty() ? "default" : "environment");
            }
        }
    }

    private static Optional<AzureCloud> named(String name) {
        try {
            return Optional.of(AzureCloud.named(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void requireBoth(Settings settings, Key<?> one, Key<?> other) {
        if (settings.isSet(one)) {
            settings.require(other, "must be set together with " + one.name());
        }
        if (settings.isSet(other)) {
            settings.require(one, "must be set together with " + other.name());
        }
    }

    private static @Nullable AzureScope scope(Settings settings) {
        requireBoth(settings, Keys.SUBSCRIPTION_ID, Keys.RESOURCE_GROUP);
        String subscription = settings.find(Keys.SUBSCRIPTION_ID);
        String group = settings.find(Keys.RESOURCE_GROUP);
        return subscription == null || group == null
                ? null
                : new AzureScope(
                        subscription,
                        group,
                        settings.get(Keys.LOAD_BALANCER_RESOURCE_GROUP),
                        settings.get(Keys.NETWORK_RESOURCE_SUBSCRIPTION_ID),
                        settings.find(Keys.VNET_NAME),
                        settings.get(Keys.VNET_RESOURCE_GROUP));
    }

    private static void disableUnusedLimits(Settings settings) {
        if (!settings.get(Keys.RATE_LIMIT)) {
            List.of(
                            Keys.RATE_LIMIT_QPS,
                            Keys.RATE_LIMIT_BUCKET,
                            Keys.RATE_LIMIT_QPS_WRITE,
                            Keys.RATE_LIMIT_BUCKET_WRITE)
                    .forEach(key -> settings.disable(key, Keys.RATE_LIMIT.name() + " is not true"));
        }
    }

    private static @Nullable RateLimit limit(Settings settings, Key<Double> qps, Key<Integer> bucket) {
        return settings.get(Keys.RATE_LIMIT) ? new RateLimit(settings.get(qps), settings.get(bucket)) : null;
    }

    private static PollSettings polls(Settings settings) {
        Duration interval = settings.get(Keys.OPERATION_POLL_INTERVAL);
        Duration usual = PollSettings.DEFAULT.maxInterval();
        return new PollSettings(
                interval, interval.compareTo(usual) > 0 ? interval : usual, settings.get(Keys.OPERATION_DEADLINE));
    }
}
