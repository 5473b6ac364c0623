package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.Time.Cancellable;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One open watch: sends changes after a version until it times out, its version is compacted, or it is cut. Without a
 * version, or from version 0, it first sends the existing objects.
 *
 * <p>It has no thread: it checks for events to send whenever the store or the faults change, and when its timer fires.
 * Guarded by the store's lock.
 */
final class WatchRequest implements Serving {

    private final ObjectStore store;
    private final KubeFaults faults;
    private final Time time;
    private final Duration bookmarkInterval;
    private final RecordedRequest request;
    private final KubePath path;
    private final KubeCall call;
    private final UnaryOperator<ObjectNode> form;
    private final OpenWatches openWatches;
    private final Runnable look = this::look;
    private final boolean bookmarks;
    private final boolean initialEventsEnd;
    private final Predicate<JsonNode> selector;
    private final Duration timeout;
    private boolean begun;
    private long sent;
    private long bookmarkedNanos;
    private boolean bookmarkAsked;
    private boolean over;
    private Cancellable timeoutTimer = () -> {};
    private Cancellable bookmarkTimer = () -> {};

    /** @param form converts an object to the form for this client */
    WatchRequest(
            ObjectStore store,
            KubeFaults faults,
            KubeSettings settings,
            RecordedRequest request,
            KubePath path,
            KubeCall call,
            UnaryOperator<ObjectNode> form,
            OpenWatches openWatches) {
        this.store = store;
        this.faults = faults;
        this.time = settings.time();
        this.bookmarkInterval = settings.bookmarkInterval();
        this.request = request;
        this.path = path;
        this.call = call;
        this.form = form;
        this.openWatches = openWatches;
        Map<String, String> query = call.query();
        this.bookmarks = Boolean.parseBoolean(query.get("allowWatchBookmarks"));
        this.selector = Selector.of(path, query);
        String version = query.getOrDefault("resourceVersion", "");
        this.initialEventsEnd = Boolean.parseBoolean(query.get("sendInitialEvents"));
        this.begun = !version.isEmpty() && !version.equals("0") && !initialEventsEnd;
        this.sent = begun ? Long.parseLong(version) : store.version();
        this.timeout = Duration.ofSeconds(Long.parseLong(query.getOrDefault("timeoutSeconds", "3600")));
    }

    boolean isOn(KubeResource resource) {
        return path.resource().equals(resource);
    }

    boolean isGone() {
        return store.isCompacted(sent);
    }

    void start() {
        call.begin();
        openWatches.add(this);
        store.listen(look);
        timeoutTimer = time.schedule(timeout, () -> store.locked(this::end));
        bookmarkedNanos = time.nanoTime();
        awaitBookmark();
        look();
    }

    /** Completes the response. */
    void end() {
        if (!over) {
            stop();
            call.end();
        }
    }

    @Override
    public void abandon() {
        store.locked(this::stop);
    }

    private void stop() {
        over = true;
        timeoutTimer.cancel();
        bookmarkTimer.cancel();
        store.forget(look);
        openWatches.remove(this);
    }

    /** Sends a bookmark as soon as faults allow, if the client requested bookmarks. */
    void bookmarkNow() {
        bookmarkAsked = true;
        look();
    }

    private void look() {
        if (over || faults.isSilent(request) && !faults.isCut(request)) {
            return;
        }
        if (faults.isCut(request)) {
            end();
        } else if (isGone()) {
            send(
                    "ERROR",
                    ApiException.expired("too old resource version: " + sent).status());
            end();
        } else {
            sendChanges();
        }
    }

    private void sendChanges() {
        if (!begun) {
            sendInitialObjects();
        }
        long until = store.version() - faults.watchLag();
        for (Change change : store.since(sent, path.resource().storage())) {
            if (change.version() > until) {
                break;
            }
            ObjectNode shown = EventVersions.shown(path.resource(), change.object());
            change.typeFor(object -> selector.test(EventVersions.shown(path.resource(), object)))
                    .ifPresent(type -> send(type, form.apply(shown)));
        }
        sent = Math.max(sent, until);
        if (bookmarks && (bookmarkAsked || isBookmarkDue())) {
            send("BOOKMARK", form.apply(bookmark()));
            bookmarkedNanos = time.nanoTime();
            awaitBookmark();
        }
        bookmarkAsked = false;
    }

    private void sendInitialObjects() {
        ObjectStore.Snapshot snapshot = store.list(path.resource().storage());
        for (ObjectNode object : snapshot.objects()) {
            ObjectNode shown = EventVersions.shown(path.resource(), object);
            if (selector.test(shown)) {
                send("ADDED", form.apply(shown));
            }
        }
        sent = snapshot.version();
        begun = true;
        if (initialEventsEnd && bookmarks) {
            ObjectNode bookmark = bookmark();
            bookmark.withObject("/metadata/annotations").put("k8s.io/initial-events-end", "true");
            send("BOOKMARK", form.apply(bookmark));
        }
    }

    private boolean isBookmarkDue() {
        return !bookmarkInterval.isZero() && time.nanoTime() - bookmarkedNanos >= bookmarkInterval.toNanos();
    }

    private void awaitBookmark() {
        bookmarkTimer.cancel();
        if (bookmarks && !bookmarkInterval.isZero()) {
            bookmarkTimer = time.schedule(bookmarkInterval, () -> store.locked(look));
        }
    }

    private ObjectNode bookmark() {
        ObjectNode bookmark = KubeJson.object()
                .put("kind", path.resource().kind())
                .put("apiVersion", path.resource().apiVersion());
        bookmark.putObject("metadata").put("resourceVersion", Long.toString(sent));
        return bookmark;
    }

    private void send(String type, ObjectNode object) {
        call.sendLine(KubeJson.object().put("type", type).set("object", object));
    }
}
