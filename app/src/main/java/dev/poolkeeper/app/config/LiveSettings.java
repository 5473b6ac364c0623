package dev.poolkeeper.app.config;

import dev.poolkeeper.ports.retry.RetrySettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of the configuration takes effect in a running daemon.
 *
 * @param retries when calls are retried, and how many retries there may be together
 * @param paused whether no write starts
 * @param agreedRemoval the id of the braked removal that an operator agrees to; null: none
 * @param files what was read for it: the configuration and its manifests
 */
public record LiveSettings(
        RetrySettings retries, boolean paused, @Nullable String agreedRemoval, List<Path> files) {

    public LiveSettings {
        files = List.copyOf(files);
    }
}
