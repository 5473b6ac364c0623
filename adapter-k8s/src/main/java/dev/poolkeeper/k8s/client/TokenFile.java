package dev.poolkeeper.k8s.client;

import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bearer token in a file that another process, such as the kubelet, replaces before the token expires. The file is
 * read for each request, and white space around the token is stripped. While the file cannot be read, the last token is
 * used. Thread-safe.
 */
final class TokenFile implements OAuthTokenProvider {

    private static final Logger log = LoggerFactory.getLogger(TokenFile.class);

    private final Path file;
    private volatile @Nullable String last;

    TokenFile(Path file) {
        this.file = file;
    }

    /** @throws IllegalStateException if there is no usable token; the message does not contain it */
    @Override
    public String getToken() {
        try {
            String token = BearerTokens.clean(Files.readString(file));
            if (token.isEmpty()) {
                throw new IllegalArgumentException("it is empty");
            }
            last = token;
            return token;
        } catch (IOException | IllegalArgumentException e) {
            String known = last;
            if (known == null) {
                throw new IllegalStateException("token file %s cannot be used: %s".formatted(file, reason(e)));
            }
            log.atDebug()
                    .addKeyValue("file", file)
                    .addKeyValue("error", reason(e))
                    .log("Token file unusable; using the last token");
            return known;
        }
    }

    private static String reason(Exception e) {
        return e instanceof NoSuchFileException ? "it does not exist" : ApiFailure.cause(e);
    }
}
