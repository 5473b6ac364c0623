package dev.poolkeeper.azure;

import org.jspecify.annotations.Nullable;

/**
 * Everything that {@link AzurePools} needs to know apart from its credential and collaborators. Holds no secret.
 *
 * @param cloud where ARM is
 * @param scope which load balancers are meant
 * @param polls how long-running operations are followed, and how long a call may take
 * @param readLimit our own limit on reads; null: none
 * @param writeLimit our own limit on writes; null: none
 */
public record AzureSettings(
        AzureCloud cloud,
        AzureScope scope,
        PollSettings polls,
        @Nullable RateLimit readLimit,
        @Nullable RateLimit writeLimit) {

    /** With default polling and no limits of our own. */
    public static AzureSettings of(AzureCloud cloud, AzureScope scope) {
        return new AzureSettings(cloud, scope, PollSettings.DEFAULT, null, null);
    }

    public AzureSettings withPolls(PollSettings newPolls) {
        return new AzureSettings(cloud, scope, newPolls, readLimit, writeLimit);
    }

    public AzureSettings withLimits(@Nullable RateLimit reads, @Nullable RateLimit writes) {
        return new AzureSettings(cloud, scope, polls, reads, writes);
    }
}
