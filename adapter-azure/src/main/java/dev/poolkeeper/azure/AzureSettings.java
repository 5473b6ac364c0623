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
 * @param networkApiVersion the {@code api-version} of {@code Microsoft.Network} in requests for load balancers and
 *     pools
 */
public record AzureSettings(
        AzureCloud cloud,
        AzureScope scope,
        PollSettings polls,
        @Nullable RateLimit readLimit,
        @Nullable RateLimit writeLimit,
        LoadBalancerSelection loadBalancers,
        String networkApiVersion) {

    /** The version against which this adapter was written. */
    public static final String NETWORK_API_VERSION = "2025-03-01";

    /** Settings with the default version, for all load balancers of the resource group. */
    public AzureSettings(
            AzureCloud cloud,
            AzureScope scope,
            PollSettings polls,
            @Nullable RateLimit readLimit,
            @Nullable RateLimit writeLimit) {
        this(cloud, scope, polls, readLimit, writeLimit, LoadBalancerSelection.all(), NETWORK_API_VERSION);
    }

    /** Settings with default polling and no rate limits, for all load balancers of the resource group. */
    public static AzureSettings of(AzureCloud cloud, AzureScope scope) {
        return new AzureSettings(cloud, scope, PollSettings.DEFAULT, null, null);
    }

    public AzureSettings withPolls(PollSettings newPolls) {
        return new AzureSettings(cloud, scope, newPolls, readLimit, writeLimit, loadBalancers, networkApiVersion);
    }

    public AzureSettings withLimits(@Nullable RateLimit reads, @Nullable RateLimit writes) {
        return new AzureSettings(cloud, scope, polls, reads, writes, loadBalancers, networkApiVersion);
    }

    public AzureSettings withLoadBalancers(LoadBalancerSelection newLoadBalancers) {
        return new AzureSettings(cloud, scope, polls, readLimit, writeLimit, newLoadBalancers, networkApiVersion);
    }

    /** @param newVersion such as {@code 2021-01-01}: older clouds know only older ones */
    public AzureSettings withNetworkApiVersion(String newVersion) {
        return new AzureSettings(cloud, scope, polls, readLimit, writeLimit, loadBalancers, newVersion);
    }
}
