package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Handles bearer tokens the way client-go does where Fabric8 does not: a kubeconfig's {@code tokenFile} is honoured and
 * takes precedence over its {@code token}, token files are re-read, and white space around a token is stripped.
 */
final class BearerTokens {

    private static final Pattern USABLE = Pattern.compile("[\\x21-\\x7e]*");

    private BearerTokens() {}

    /**
     * Returns the configuration with a usable token.
     *
     * @throws IllegalArgumentException if the token cannot be sent in a header; the message does not contain it
     */
    static Config fit(Config config) {
        if (config.getOauthTokenProvider() != null) {
            return config;
        }
        Path file = tokenFile(config).or(() -> serviceAccount(config)).orElse(null);
        if (file != null) {
            return new ConfigBuilder(config)
                    .withOauthTokenProvider(new TokenFile(file))
                    .build();
        }
        String token = config.getOauthToken() == null ? config.getAutoOAuthToken() : config.getOauthToken();
        if (token == null || token.equals(clean(token))) {
            return config; // Fabric8 re-reads it by itself
        }
        return new ConfigBuilder(config).withOauthToken(clean(token)).build();
    }

    /** @throws IllegalArgumentException if the token cannot be sent in a header; the message does not contain it */
    static String clean(String token) {
        String stripped = token.strip();
        if (!USABLE.matcher(stripped).matches()) {
            throw new IllegalArgumentException(
                    "the bearer token for the API server contains characters that an HTTP header does not allow");
        }
        return stripped;
    }

    private static Optional<Path> tokenFile(Config config) {
        NamedContext context = config.getCurrentContext();
        File kubeconfig = KubeConfigUtils.getFileWithNamedAuthInfo(context);
        if (kubeconfig == null || context.getContext() == null) {
            return Optional.empty();
        }
        String user = context.getContext().getUser();
        return KubeConfigUtils.parseConfig(kubeconfig).getUsers().stream()
                .filter(named -> Objects.equals(named.getName(), user))
                .map(NamedAuthInfo::getUser)
                .filter(Objects::nonNull)
                .map(AuthInfo::getTokenFile)
                .filter(BearerTokens::isSet)
                .findFirst()
                .map(path -> kubeconfig.getAbsoluteFile().toPath().resolveSibling(path));
    }

    private static boolean isSet(@Nullable String text) {
        return text != null && !text.isBlank();
    }

    /** In a pod, where Fabric8 read the token from the service account's file. */
    private static Optional<Path> serviceAccount(Config config) {
        Path file = Path.of(Config.KUBERNETES_SERVICE_ACCOUNT_TOKEN_PATH);
        boolean isUsed = config.getCurrentContext() == null
                && config.getOauthToken() == null
                && isSet(config.getAutoOAuthToken())
                && Files.isReadable(file);
        return isUsed ? Optional.of(file) : Optional.empty();
    }
}
