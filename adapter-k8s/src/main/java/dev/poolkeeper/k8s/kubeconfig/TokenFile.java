package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bearer token in a file that another process, such as the kubelet, replaces before the token expires. The file is
 * read for each request, and white space around the token is stripped. While the file cannot be read, the last token is
 * used. Thread-safe.
 */
final class TokenFile implements Credential {

    private static final Logger log = LoggerFactory.getLogger(TokenFile.class);

    private final Path file;
    private volatile @Nullable String last;

    TokenFile(Path file) {
        this.file = file;
    }

    /** Why there is no usable token now, without the token itself; empty if there is one. */
    Optional<String> fault() {
        try {
            read();
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(reason(e));
        }
    }

    private String read() throws IOException {
        String token = HeaderText.token(Files.readString(file));
        if (token.isEmpty()) {
            throw new IllegalArgumentException("is empty");
        }
        last = token;
        return token;
    }

    /** @throws IllegalStateException if there is no usable token; the message does not contain it */
    @Override
    public Optional<String> authorization() {
        try {
            return Optional.of("Bearer " + read());
        } catch (IOException | IllegalArgumentException e) {
            String known = last;
            if (known == null) {
                throw new IllegalStateException("token file %s cannot be used: %s".formatted(file, reason(e)));
            }
            log.atDebug()
                    .addKeyValue("file", file)
                    .addKeyValue("error", reason(e))
                    .log("Token file unusable; using the last token");
            return Optional.of("Bearer " + known);
        }
    }

    private static String reason(Exception e) {
        return e instanceof NoSuchFileException
                ? "it does not exist"
                : e instanceof IOException ? ApiFailure.cause(e) : "it " + e.getMessage();
    }
}
