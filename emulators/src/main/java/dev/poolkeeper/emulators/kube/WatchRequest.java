package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * One open watch: tells changes after a version until its time is over, it is compacted away, or it is cut. Without a
 * version, or from version 0, it first tells what is there.
 */
final class WatchRequest {

    private static final long LONGEST_WAIT_MILLIS = 1_000;

    private final ObjectStore store;
    private final KubeFaults faults;
    private final KubeSettings settings;
    private final RecordedRequest request;
    private final KubePath path;
    private final boolean bookmarks;
    private final boolean initialEventsEnd;
    private final Predicate<JsonNode> selector;
    private final long endNanos;
    private boolean begun;
    private long told;
    private long bookmarked;
    private long bookmarkedNanos;

    /** What an object looks like to this client. */
    interface Form {
        ObjectNode of(ObjectNode object);
    }

    WatchRequest(
            ObjectStore store,
            KubeFaults faults,
            KubeSettings settings,
            RecordedRequest request,
            KubePath path,
            Map<String, String> query,
            long bookmarks) {
        this.store = store;
        this.faults = faults;
        this.settings = settings;
        this.request = request;
        this.path = path;
        this.bookmarks = Boolean.parseBoolean(query.get("allowWatchBookmarks"));
        this.bookmarked = bookmarks;
        this.selector = Selector.of(path, query);
        String version = query.getOrDefault("resourceVersion", "");
        this.initialEventsEnd = Boolean.parseBoolean(query.get("sendInitialEvents"));
        this.begun = !version.isEmpty() && !version.equals("0") && !initialEventsEnd;
        this.told = begun ? Long.parseLong(version) : store.version();
        long seconds = Long.parseLong(query.getOrDefault("timeoutSeconds", "3600"));
        this.bookmarkedNanos = settings.nanoTime().getAsLong();
        this.endNanos = bookmarkedNanos + TimeUnit.SECONDS.toNanos(seconds);
    }

    boolean isGone() {
        return store.isCompacted(told);
    }

    /** Tells until the end. Returns normally when the watch ended by itself. */
    void run(OutputStream out, Form form, BooleanSupplier cut, LongSupplier bookmarkCount)
            throws IOException, InterruptedException {
        while (!cut.getAsBoolean() && nanosLeft() > 0) {
            long version = store.version();
            long signals = store.signals();
            long now = settings.nanoTime().getAsLong();
            long bookmarkRequests = bookmarkCount.getAsLong();
            // looked at last: a watch that falls silent tells nothing of what comes after
            if (!faults.isSilent(request)) {
                if (isGone()) {
                    write(
                            out,
                            "ERROR",
                            ApiException.expired("too old resource version: " + told)
                                    .status());
                    return;
                }
                if (!begun) {
                    begin(out, form);
                }
                tell(out, form, version);
                bookmarkIfDue(out, form, now, bookmarkRequests);
            }
            store.await(version, signals, wait(cut));
        }
    }

    private long nanosLeft() {
        return endNanos - settings.nanoTime().getAsLong();
    }

    /** In milliseconds. A second at most: another clock than the system's may move on meanwhile. */
    private long wait(BooleanSupplier cut) {
        long left = nanosLeft();
        if (bookmarks && !settings.bookmarkInterval().isZero()) {
            left = Math.min(left, nanosToBookmark(settings.nanoTime().getAsLong()));
        }
        return cut.getAsBoolean() ? 0 : Math.min(Math.max(TimeUnit.NANOSECONDS.toMillis(left), 1), LONGEST_WAIT_MILLIS);
    }

    private long nanosToBookmark(long now) {
        return bookmarkedNanos + settings.bookmarkInterval().toNanos() - now;
    }

    private void begin(OutputStream out, Form form) throws IOException {
        ObjectStore.Snapshot snapshot = store.list(path.resource().storage());
        for (ObjectNode object : snapshot.objects()) {
            ObjectNode shown = EventFaces.shown(path.resource(), object);
            if (selector.test(shown)) {
                write(out, "ADDED", form.of(shown));
            }
        }
        told = snapshot.version();
        begun = true;
        if (initialEventsEnd && bookmarks) {
            ObjectNode bookmark = bookmark();
            bookmark.withObject("/metadata/annotations").put("k8s.io/initial-events-end", "true");
            write(out, "BOOKMARK", form.of(bookmark));
        }
    }

    private void tell(OutputStream out, Form form, long version) throws IOException {
        long until = version - faults.watchLag();
        for (Change change : store.since(told, path.resource().storage())) {
            if (change.version() > until) {
                break;
            }
            ObjectNode shown = EventFaces.shown(path.resource(), change.object());
            if (selector.test(shown)) {
                write(out, change.type(), form.of(shown));
            }
        }
        told = Math.max(told, until);
    }

    private void bookmarkIfDue(OutputStream out, Form form, long now, long requests) throws IOException {
        boolean due = !settings.bookmarkInterval().isZero() && nanosToBookmark(now) <= 0;
        if (bookmarks && (due || requests > bookmarked)) {
            write(out, "BOOKMARK", form.of(bookmark()));
            bookmarkedNanos = now;
        }
        bookmarked = requests;
    }

    private ObjectNode bookmark() {
        ObjectNode bookmark = Json.object()
                .put("kind", path.resource().kind())
                .put("apiVersion", path.resource().apiVersion());
        bookmark.putObject("metadata").put("resourceVersion", Long.toString(told));
        return bookmark;
    }

    private static void write(OutputStream out, String type, ObjectNode object) throws IOException {
        ObjectNode event = Json.object().put("type", type).set("object", object);
        out.write((Json.MAPPER.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
