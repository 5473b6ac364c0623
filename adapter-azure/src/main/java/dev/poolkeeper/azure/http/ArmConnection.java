package dev.poolkeeper.azure.http;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import org.jspecify.annotations.Nullable;

/**
 * How ARM is reached and how often.
 *
 * @param credential gives tokens
 * @param scope what tokens are asked for
 * @param http carries the requests
 * @param readLimit our own limit on reads; null: none
 * @param writeLimit our own limit on writes; null: none
 */
public record ArmConnection(
        TokenCredential credential,
        String scope,
        HttpClient http,
        @Nullable RateLimit readLimit,
        @Nullable RateLimit writeLimit) {}
