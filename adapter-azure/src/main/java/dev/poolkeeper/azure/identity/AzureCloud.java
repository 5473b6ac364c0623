package dev.poolkeeper.azure.identity;

import com.azure.core.management.AzureEnvironment;
import dev.poolkeeper.azure.http.Redaction;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of an Azure cloud.
 *
 * @param resourceManager ARM's endpoint, https
 * @param authority the host that issues tokens, https; null to discover it from ARM's {@code /metadata/endpoints}
 *     before the first token
 * @param audience the audience of tokens for ARM, without {@code /.default}; null to discover it there too
 */
public record AzureCloud(
        URI resourceManager,
        @Nullable URI authority,
        @Nullable String audience) {

    /** The default cloud. */
    public static final AzureCloud PUBLIC = of(AzureEnvironment.AZURE);

    /** The names that {@link #named} knows, as the cloud provider's key {@code cloud} spells them. */
    public static final List<String> NAMES = List.of("AzurePublicCloud", "AzureChinaCloud", "AzureUSGovernmentCloud");

    /** @throws IllegalArgumentException if an endpoint is not an absolute https URL, or the audience is blank */
    public AzureCloud {
        requireHttps("the resource manager endpoint", resourceManager);
        if (authority != null) {
            requireHttps("the authority host", authority);
        }
        if (audience == null ? authority != null : audience.isBlank()) {
            throw new IllegalArgumentException("the audience of tokens must not be blank");
        }
    }

    /**
     * Finds a cloud by its name in the cloud provider's key {@code cloud}, case-insensitive; blank for the public
     * cloud.
     *
     * @throws IllegalArgumentException if no cloud has this name
     */
    public static AzureCloud named(String name) {
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "", "AZUREPUBLICCLOUD", "AZURECLOUD" -> PUBLIC;
            case "AZURECHINACLOUD" -> of(AzureEnvironment.AZURE_CHINA);
            case "AZUREUSGOVERNMENTCLOUD", "AZUREUSGOVERNMENT" -> of(AzureEnvironment.AZURE_US_GOVERNMENT);
            default ->
                throw new IllegalArgumentException(
                        "cloud is \"" + name + "\", must be one of " + String.join(", ", NAMES));
        };
    }

    /**
     * Another cloud, such as an emulator; the audience of its tokens is its endpoint.
     *
     * @throws IllegalArgumentException if an endpoint is not an absolute https URL
     */
    public static AzureCloud at(URI resourceManager, URI authority) {
        return new AzureCloud(resourceManager, authority, withoutSlash(resourceManager.toString()));
    }

    /**
     * A cloud with only ARM's endpoint; its authority and audience are discovered from ARM.
     *
     * @throws IllegalArgumentException if the endpoint is not an absolute https URL
     */
    public static AzureCloud discoveredAt(URI resourceManager) {
        return new AzureCloud(resourceManager, null, null);
    }

    /** The same cloud with another audience of tokens. */
    public AzureCloud withAudience(String newAudience) {
        return new AzureCloud(resourceManager, authority, newAudience);
    }

    private static AzureCloud of(AzureEnvironment environment) {
        return new AzureCloud(
                URI.create(environment.getResourceManagerEndpoint()),
                URI.create(environment.getActiveDirectoryEndpoint()),
                withoutSlash(environment.getManagementEndpoint()));
    }

    /** The scope of token requests; a double slash in it would be rejected. */
    public String scope() {
        return withoutSlash(audience == null ? resourceManager.toString() : audience) + "/.default";
    }

    static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static void requireHttps(String what, URI address) {
        if (!"https".equalsIgnoreCase(address.getScheme()) || address.getHost() == null) {
            throw new IllegalArgumentException(
                    what + " is \"" + Redaction.of(address.toString()) + "\", must be an absolute https address");
        }
    }
}
