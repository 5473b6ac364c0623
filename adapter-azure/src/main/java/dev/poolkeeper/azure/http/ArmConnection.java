package dev.poolkeeper.azure.http;

import com.azure.core.http.HttpClient;
import org.jspecify.annotations.Nullable;

/**
 * The connection to ARM and its rate limits.
 *
 * @param tokens provides tokens
 * @param scope the scope of the tokens
 * @param http sends the requests
 * @param readLimit our own rate limit for reads; null for none
 * @param writeLimit our own rate limit for writes; null for none
 */
public record ArmConnection(
        ArmTokens tokens,
        String scope,
        HttpClient http,
        @Nullable RateLimit readLimit,
        @Nullable RateLimit writeLimit) {}
