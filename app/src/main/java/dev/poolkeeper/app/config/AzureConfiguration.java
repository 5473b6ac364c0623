package dev.poolkeeper.app.config;

import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.azure.AzurePoolsBuilder;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.http.HttpsProxy;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzureIdentitySettings;
import dev.poolkeeper.ports.Time;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration says about Azure. Its text form shows no secret.
 *
 * @param settings which load balancers, where, and how they are spoken to
 * @param identity who we are
 * @param caFile whose certificates are trusted; null: whom the JDK trusts
 * @param proxy what requests go through
 */
public record AzureConfiguration(
        AzureSettings settings,
        AzureIdentitySettings identity,
        @Nullable Path caFile,
        HttpsProxy proxy) {

    /**
     * Begins to build the pools that it describes. Nothing is sent yet.
     *
     * @param time by which gates open, calls end and threads wait
     * @throws IllegalArgumentException if a file that it names cannot be read; the message names the file, no secret
     */
    public AzurePoolsBuilder pools(Time time) {
        HttpClient http = caFile == null ? ArmHttp.client(proxy) : ArmHttp.clientTrusting(caFile, proxy);
        return AzurePools.builder(settings, AzureCredentials.of(identity, settings.cloud(), http), http, time);
    }
}
