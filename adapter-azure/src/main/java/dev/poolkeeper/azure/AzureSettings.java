package dev.poolkeeper.azure;

import dev.poolkeeper.azure.http.RateLimit;
import dev.poolkeeper.azure.identity.AzureCloud;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.azure.pool.PollSettings;
import org.jspecify.annotations.Nullable;

/**
 * The settings of {@link AzurePools}, apart from its credential and collaborators. Contains no secret.
 *
 * @param cloud the Azure cloud
 * @param scope the location of the load balancers
 * @param polls polling of long-running operations, and the deadline of a call
 * @param readLimit our own rate limit for reads; null for none
 * @param writeLimit our own rate limit for writes; null for none
 * @param loadBalancers selects this cluster's load balancers in the resource group
 */
public record AzureSettings(
        AzureCloud cloud,
        AzureScope scope,
        PollSettings polls,
        @Nullable RateLimit readLimit,
        @Nullable RateLimit writeLimit,
        LoadBalancerSelection loadBalancers) {

    /** Settings for all load balancers of the resource group. */
    public AzureSettings(
            AzureCloud cloud,
            AzureScope scope,
            PollSettings polls,
            @Nullable RateLimit readLimit,
            @Nullable RateLimit writeLimit) {
        this(cloud, scope, polls, readLimit, writeLimit, LoadBalancerSelection.all());
    }

    /** Settings with default polling and no rate limits, for all load balancers of the resource group. */
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
