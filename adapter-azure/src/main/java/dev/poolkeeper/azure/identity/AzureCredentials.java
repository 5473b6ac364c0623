package dev.poolkeeper.azure.identity;

import static java.util.Objects.requireNonNull;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.identity.AadCredentialBuilderBase;
import com.azure.identity.ClientCertificateCredentialBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.azure.identity.ManagedIdentityCredentialBuilder;
import com.azure.identity.WorkloadIdentityCredentialBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Credentials from the cloud provider's keys, in the cloud provider's order: workload identity, managed identity,
 * client secret, client certificate, else the SDK's default chain.
 */
public final class AzureCredentials {

    private AzureCredentials() {}

    /**
     * Creates the credential for the settings. Sends no request.
     *
     * @param http fetches tokens
     * @throws IllegalArgumentException if a key is missing or a file cannot be read; the message names it but no secret
     */
    public static TokenCredential of(AzureIdentitySettings settings, AzureCloud cloud, HttpClient http) {
        URI authority = cloud.authority();
        if (authority == null) {
            of(settings, cloud.resourceManager(), http); // reports missing keys now rather than at the first token
            return new RenewableCredential(
                    () -> new DiscoveringCredential(cloud, http, found -> of(settings, found, http)));
        }
        return new RenewableCredential(() -> of(settings, authority, http));
    }

    private static TokenCredential of(AzureIdentitySettings settings, URI authority, HttpClient http) {
        if (settings.useWorkloadIdentity()) {
            return aad(
                            new WorkloadIdentityCredentialBuilder(),
                            settings,
                            authority,
                            http,
                            "useFederatedWorkloadIdentityExtension")
                    .tokenFilePath(readable(
                            "aadFederatedTokenFile",
                            settings.federatedTokenFile(),
                            "useFederatedWorkloadIdentityExtension"))
                    .build();
        }
        if (settings.useManagedIdentity()) {
            return managedIdentity(settings.userAssignedIdentityId(), http);
        }
        if (settings.clientSecret() != null) {
            return aad(new ClientSecretCredentialBuilder(), settings, authority, http, "aadClientSecret")
                    .clientSecret(settings.clientSecret())
                    .build();
        }
        if (settings.clientCertPath() != null) {
            return certificate(settings, authority, http);
        }
        DefaultAzureCredentialBuilder chain = new DefaultAzureCredentialBuilder()
                .authorityHost(authority.toString())
                .httpClient(http);
        return (settings.loadBalancerTenant() == null ? chain : chain.tenantId(settings.loadBalancerTenant())).build();
    }

    private static TokenCredential managedIdentity(@Nullable String identity, HttpClient http) {
        ManagedIdentityCredentialBuilder builder = new ManagedIdentityCredentialBuilder().httpClient(http);
        if (identity == null || identity.isBlank()) {
            return builder.build();
        }
        return (identity.toLowerCase(Locale.ROOT).startsWith("/subscriptions/")
                        ? builder.resourceId(identity)
                        : builder.clientId(identity))
                .build();
    }

    private static TokenCredential certificate(AzureIdentitySettings settings, URI authority, HttpClient http) {
        String path = readable("aadClientCertPath", settings.clientCertPath(), "aadClientCertPath");
        ClientCertificateCredentialBuilder builder =
                aad(new ClientCertificateCredentialBuilder(), settings, authority, http, "aadClientCertPath");
        ClientCertificateFile file = ClientCertificateFile.read(path);
        if (file.isPem()) {
            file.checkPem();
            return builder.pemCertificate(path).build();
        }
        String password = Objects.requireNonNullElse(settings.clientCertPassword(), "");
        file.checkPkcs12(password);
        return builder.pfxCertificate(path).clientCertificatePassword(password).build();
    }

    private static <B extends AadCredentialBuilderBase<B>> B aad(
            B builder, AzureIdentitySettings settings, URI authority, HttpClient http, String because) {
        builder.authorityHost(authority.toString())
                .clientId(required("aadClientId", settings.clientId(), because))
                .tenantId(required("tenantId", settings.loadBalancerTenant(), because))
                .httpClient(http);
        return isMicrosofts(authority) ? builder : builder.disableInstanceDiscovery();
    }

    /** Whether this is one of Microsoft's authorities, which the SDK could validate through instance discovery. */
    private static boolean isMicrosofts(URI authority) {
        String host = authority.getHost().toLowerCase(Locale.ROOT);
        return host.contains("microsoftonline")
                || AzureCloud.NAMES.stream()
                        .map(name -> requireNonNull(AzureCloud.named(name).authority()))
                        .anyMatch(known -> host.equals(known.getHost()));
    }

    private static String required(String key, @Nullable String value, String because) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(key + " is missing, " + because + " needs it");
        }
        return value;
    }

    private static String readable(String key, @Nullable String path, String because) {
        String file = required(key, path, because);
        try {
            if (Files.isRegularFile(Path.of(file))
                    && Files.isReadable(Path.of(file))
                    && Files.size(Path.of(file)) > 0) {
                return file;
            }
        } catch (IOException | InvalidPathException e) {
            // the exception below says what is allowed
        }
        throw new IllegalArgumentException(
                "%s is \"%s\", must be a file that can be read and is not empty".formatted(key, file));
    }
}
