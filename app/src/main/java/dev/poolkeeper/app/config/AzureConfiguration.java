package dev.poolkeeper.app.config;

import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzurePoolsBuilder;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.ports.Time;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The Azure part of the configuration. Its text form shows no secret.
 *
 * @param settings the load balancers and how they are accessed
 * @param identity the identity used in Azure
 * @param caFile the CA certificates to trust; null for those that the JDK trusts
 * @param proxies the proxies for requests
 */
public record AzureConfiguration(
        AzureSettings settings,
        AzureIdentitySettings identity,
        @Nullable Path caFile,
        Proxies proxies) {

    /**
     * Starts building the pools adapter. No request is sent yet.
     *
     * @param time used for gates, timeouts and waits
     * @throws IllegalArgumentException if a configured file cannot be read; the message names the file and contains no
     *     secret
     */
    public AzurePoolsBuilder pools(Time time) {
        HttpClient http = caFile == null ? ArmHttp.client(proxies) : ArmHttp.clientTrusting(caFile, proxies);
        return AzurePools.builder(settings, AzureCredentials.of(identity, settings.cloud(), http), http, time);
    }
}
