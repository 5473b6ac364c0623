package dev.poolkeeper.emulators.kube;

import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings of the API server emulator. Immutable: {@code withX} returns a copy.
 *
 * @param port the port on the loopback address; 0, the default, for a free one
 * @param tls whether it serves HTTPS, with its own certificates; default: no
 * @param tokens bearer tokens and the names of their users, in this order; if empty, the default, there is no
 *     authentication, and every client is {@link RecordedRequest#UNSECURED}
 * @param bookmarkInterval the time between bookmarks on a watch that requested them; zero for bookmarks only from
 *     {@link KubeEmulator#bookmark}. About a minute in API servers
 * @param history the number of latest changes kept; a watch or list that continues from before gets a 410. API servers
 *     keep those of some minutes
 * @param time the time source for creation timestamps, ages in tables, bookmarks and watch timeouts; default: the
 *     machine's
 */
public record KubeSettings(
        int port, boolean tls, Map<String, String> tokens, Duration bookmarkInterval, int history, Time time) {

    /** For tests: plain HTTP, no authentication and no periodic bookmarks. */
    public static final KubeSettings DEFAULT =
            new KubeSettings(0, false, Map.of(), Duration.ZERO, 100_000, new SystemTime());

    /** Like a real API server: HTTPS, and a bookmark every minute. */
    public static final KubeSettings LIFELIKE = DEFAULT.withTls(true).withBookmarkInterval(Duration.ofMinutes(1));

    private static final int LARGEST_PORT = 65_535;

    /** @throws IllegalArgumentException if a value is out of bounds */
    public KubeSettings {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("port must be from 0 to %s, got %s".formatted(LARGEST_PORT, port));
        }
        if (bookmarkInterval.isNegative()) {
            throw new IllegalArgumentException("bookmarkInterval must not be negative, got " + bookmarkInterval);
        }
        if (history < 1) {
            throw new IllegalArgumentException("history must be at least 1, got " + history);
        }
        tokens = Collections.unmodifiableMap(new LinkedHashMap<>(tokens));
    }

    public KubeSettings withPort(int newPort) {
        return new KubeSettings(newPort, tls, tokens, bookmarkInterval, history, time);
    }

    public KubeSettings withTls(boolean newTls) {
        return new KubeSettings(port, newTls, tokens, bookmarkInterval, history, time);
    }

    /** Adds a user; clients without a valid token get a 401 from then on. */
    public KubeSettings withToken(String token, String user) {
        Map<String, String> more = new LinkedHashMap<>(tokens);
        more.put(token, user);
        return new KubeSettings(port, tls, more, bookmarkInterval, history, time);
    }

    public KubeSettings withBookmarkInterval(Duration interval) {
        return new KubeSettings(port, tls, tokens, interval, history, time);
    }

    public KubeSettings withHistory(int changes) {
        return new KubeSettings(port, tls, tokens, bookmarkInterval, changes, time);
    }

    public KubeSettings withTime(Time newTime) {
        return new KubeSettings(port, tls, tokens, bookmarkInterval, history, newTime);
    }

    /** Omits the tokens. */
    @Override
    public String toString() {
        return "KubeSettings[port=%s, tls=%s, users=%s, bookmarkInterval=%s]"
                .formatted(port, tls, tokens.values(), bookmarkInterval);
    }
}
