package dev.poolkeeper.fake.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** One open watch: tells changes after a version until its time is over, it is compacted away, or it is cut. */
final class WatchRequest {

    private static final long LONGEST_WAIT_MILLIS = 1_000;

    private final ObjectStore store;
    private final KubeFaults faults;
    private final KubePath path;
    private final boolean bookmarks;
    private final Predicate<JsonNode> selector;
    private final long endNanos;
    private long told;
    private long bookmarked;

    WatchRequest(ObjectStore store, KubeFaults faults, KubePath path, Map<String, String> query, long bookmarks) {
        this.store = store;
        this.faults = faults;
        this.path = path;
        this.bookmarks = Boolean.parseBoolean(query.get("allowWatchBookmarks"));
        this.bookmarked = bookmarks;
        this.selector = Selector.of(path, query);
        String version = query.getOrDefault("resourceVersion", "");
        this.told = version.isEmpty() || version.equals("0") ? store.version() : Long.parseLong(version);
        long seconds = Long.parseLong(query.getOrDefault("timeoutSeconds", "3600"));
        this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    boolean isGone() {
        return store.isCompacted(told);
    }

    /** Tells until the end. Returns normally when the watch ended by itself. */
    void run(OutputStream out, BooleanSupplier cut, BookmarkCount bookmarkCount)
            throws IOException, InterruptedException {
        while (!cut.getAsBoolean() && System.nanoTime() < endNanos) {
            long version = store.version();
            long signals = store.signals();
            if (!faults.areWatchesSilent()) {
                if (isGone()) {
                    write(
                            out,
                            "ERROR",
                            ApiException.expired("too old resource version: " + told)
                                    .status());
                    return;
                }
                tell(out, version, bookmarkCount.count());
            }
            long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            store.await(version, signals, Math.min(Math.max(left, 0), LONGEST_WAIT_MILLIS));
        }
    }

    /** How many bookmarks were asked for so far. */
    @FunctionalInterface
    interface BookmarkCount {
        long count();
    }

    private void tell(OutputStream out, long version, long bookmarkCount) throws IOException {
        long until = version - faults.watchLag();
        for (Change change : store.since(told, path.resource().storage())) {
            if (change.version() > until) {
                break;
            }
            ObjectNode shown = EventFaces.shown(path.resource(), change.object());
            if (selector.test(shown)) {
                write(out, change.type(), shown);
            }
        }
        told = Math.max(told, until);
        if (bookmarks && bookmarkCount > bookmarked) {
            ObjectNode bookmark = Json.object()
                    .put("kind", path.resource().kind())
                    .put("apiVersion", path.resource().apiVersion());
            bookmark.putObject("metadata").put("resourceVersion", Long.toString(told));
            write(out, "BOOKMARK", bookmark);
        }
        bookmarked = bookmarkCount;
    }

    private static void write(OutputStream out, String type, ObjectNode object) throws IOException {
        ObjectNode event = Json.object().put("type", type).set("object", object);
        out.write((Json.MAPPER.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
