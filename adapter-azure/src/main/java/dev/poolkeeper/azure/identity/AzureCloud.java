package dev.poolkeeper.azure.identity;

import com.azure.core.management.AzureEnvironment;
import dev.poolkeeper.azure.http.Redaction;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where an Azure cloud is found.
 *
 * @param resourceManager ARM's endpoint, https
 * @param authority the host that issues tokens, https; null: the one that ARM names at {@code /metadata/endpoints},
 *     which is asked before the first token
 * @param audience what tokens for ARM are asked for, without {@code /.default}; null: the one that ARM names there, too
 */
public record AzureCloud(
        URI resourceManager,
        @Nullable URI authority,
        @Nullable String audience) {

    /** The cloud that is meant where none is named. */
    public static final AzureCloud PUBLIC = of(AzureEnvironment.AZURE);

    /** The names that {@link #named} knows, as the cloud provider's key {@code cloud} spells them. */
    public static final List<String> NAMES = List.of("AzurePublicCloud", "AzureChinaCloud", "AzureUSGovernmentCloud");

    /** @throws IllegalArgumentException if an endpoint is no absolute https address, or the audience is blank */
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
     * A cloud by the name that the cloud provider's key {@code cloud} gives it, without regard to case; blank is the
     * public one.
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
     * A cloud of its own, such as an emulator: its tokens are asked for in the name of its endpoint.
     *
     * @throws IllegalArgumentException if an endpoint is no absolute https address
     */
    public static AzureCloud at(URI resourceManager, URI authority) {
        return new AzureCloud(resourceManager, authority, withoutSlash(resourceManager.toString()));
    }

    /**
     * A cloud of which only ARM's endpoint is known: ARM is asked who issues tokens, and for which audience.
     *
     * @throws IllegalArgumentException if the endpoint is no absolute https address
     */
    public static AzureCloud discoveredAt(URI resourceManager) {
        return new AzureCloud(resourceManager, null, null);
    }

    /** The same with another audience of tokens. */
    public AzureCloud withAudience(String newAudience) {
        return new AzureCloud(resourceManager, authority, newAudience);
    }

    private static AzureCloud of(AzureEnvironment environment) {
        return new AzureCloud(
                URI.create(environment.getResourceManagerEndpoint()),
                URI.create(environment.getActiveDirectoryEndpoint()),
                withoutSlash(environment.getManagementEndpoint()));
    }

    /** The scope that a token is asked for; a second slash in it would be refused. */
    public String scope() {
        return withoutSlash(audience == null ? resourceManager.toString() : audience) + "/.default";
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    private static void requireHttps(String what, URI address) {
        if (!"https".equalsIgnoreCase(address.getScheme()) || address.getHost() == null) {
            throw new IllegalArgumentException(
                    what + " is \"" + Redaction.of(address.toString()) + "\", must be an absolute https address");
        }
    }
}
