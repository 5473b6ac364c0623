package dev.poolkeeper.azure;

import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.azure.pool.PollSettings;
import org.jspecify.annotations.Nullable;

/**
 * Everything that {@link AzurePools} needs to know apart from its credential and collaborators. Holds no secret.
 *
 * @param cloud where ARM is
 * @param scope which load balancers are meant
 * @param polls how long-running operations are followed, and how long a call may take
 * @param readLimit our own limit on reads; null: none
 * @param writeLimit our own limit on writes; null: none
 * @param loadBalancers which load balancers of the resource group are this cluster's
 */
public record AzureSettings(
        AzureCloud cloud,
        AzureScope scope,
        PollSettings polls,
        @Nullable RateLimit readLimit,
        @Nullable RateLimit writeLimit,
        LoadBalancerSelection loadBalancers) {

    /** With every load balancer of the resource group. */
    public AzureSettings(
            AzureCloud cloud,
            AzureScope scope,
            PollSettings polls,
            @Nullable RateLimit readLimit,
            @Nullable RateLimit writeLimit) {
        this(cloud, scope, polls, readLimit, writeLimit, LoadBalancerSelection.all());
    }

    /** With default polling, no limits of our own, and every load balancer of the resource group. */
    public static AzureSettings of(AzureCloud cloud, AzureScope scope) {
        return new AzureSettings(cloud, scope, PollSettings.DEFAULT, null, null);
    }

    public AzureSettings withPolls(PollSettings newPolls) {
        return new AzureSettings(cloud, scope, newPolls, readLimit, writeLimit, loadBalancers);
    }

    public AzureSettings withLimits(@Nullable RateLimit reads, @Nullable RateLimit writes) {
        return new AzureSettings(cloud, scope, polls, reads, writes, loadBalancers);
    }

    public AzureSettings withLoadBalancers(LoadBalancerSelection newLoadBalancers) {
        return new AzureSettings(cloud, scope, polls, readLimit, writeLimit, newLoadBalancers);
    }
}
