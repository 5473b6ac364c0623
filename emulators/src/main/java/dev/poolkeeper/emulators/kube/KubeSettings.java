package dev.poolkeeper.emulators.kube;

import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How the API server emulator behaves. Immutable: {@code withX} returns a copy.
 *
 * @param port the port on the loopback address; 0, the default, for one that is free
 * @param tls whether it speaks HTTPS, with certificates of its own; default: no
 * @param tokens bearer tokens and the names of their users, in this order; with none, the default, no one is asked who
 *     they are, and everybody is {@link RecordedRequest#UNSECURED}
 * @param bookmarkInterval how long a watch that wants bookmarks waits for the next one; zero for bookmarks by
 *     {@link KubeEmulator#bookmark} only. API servers take about a minute
 * @param history how many of the latest changes are kept: a watch or a list that goes on from before is refused with
 *     410. API servers keep those of some minutes
 * @param time what objects get their time of creation from, tables their ages, and bookmarks and the ends of watches
 *     their timers; default: the machine's
 */
public record KubeSettings(
        int port, boolean tls, Map<String, String> tokens, Duration bookmarkInterval, int history, Time time) {

    /** For tests: plain HTTP, and nothing happens that was not asked for. */
    public static final KubeSettings DEFAULT =
            new KubeSettings(0, false, Map.of(), Duration.ZERO, 100_000, new SystemTime());

    /** As a real API server does it: HTTPS, and a bookmark a minute. */
    public static final KubeSettings LIFELIKE = DEFAULT.withTls(true).withBookmarkInterval(Duration.ofMinutes(1));

    private static final int LARGEST_PORT = 65_535;

    /** @throws IllegalArgumentException if a value is out of its bounds */
    public KubeSettings {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException("port must be from 0 to %d, got %d".formatted(LARGEST_PORT, port));
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

    /** One more user; who sends none of the tokens is refused with 401 from then on. */
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

    /** Without the tokens themselves. */
    @Override
    public String toString() {
        return "KubeSettings[port=%d, tls=%s, users=%s, bookmarkInterval=%s]"
                .formatted(port, tls, tokens.values(), bookmarkInterval);
    }
}
