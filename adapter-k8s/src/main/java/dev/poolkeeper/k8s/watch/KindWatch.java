package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.ForeignText;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reads all objects of one kind and watches them from there; reads again when the watch cannot continue from its
 * version (410), when the listener failed, and at every resync. A watch that ends or goes silent is reopened from the
 * last version seen.
 *
 * <p>Objects are read by a streaming list ({@code sendInitialEvents}), which continues as the watch. If the API server
 * refuses that (4xx), or the watch fails before its initial events end or does not reach their end in time, they are
 * read as a list in pages. Only a complete read marks missing objects as deleted. Reads return the newest state
 * (initial events count only once their bookmark arrived), so a lagging API server cannot take us back in time.
 *
 * <p>Thread-safe. The listener is called under the lock of this kind, and so in the order of versions.
 */
public final class KindWatch<T extends HasMetadata, S> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KindWatch.class);

    private static final int BAD_REQUEST = 400;
    private static final int GONE = 410;
    private static final int UNPROCESSABLE = 422;
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";
    /** Time limit for the initial events; after it, the objects are listed instead. */
    private static final Duration INITIAL_EVENTS = Duration.ofSeconds(30);
    /** A watch that ends sooner is reopened only after a back-off. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private final WatchedKind<T, S> kind;
    private final KubernetesClient client;
    private final WatchSettings settings;
    private final Time time;
    private final PagedList<T> list;
    private final ReducedStore<S> store;
    private final SilenceCheck silence;
    private final Troubles troubles;
    private final ReentrantLock lock = new ReentrantLock();
    private final WatchStream.Listener events = new Events();

    private final Set<String> unreadable = new HashSet<>();

    private boolean stopped;
    private boolean synced;
    private String version = "";
    private @Nullable WatchStream stream;
    private boolean answered;
    /** The initial events of the open watch; null once they are complete. */
    private @Nullable InitialState<S> initial;

    private boolean watchListsRefused;
    private boolean listNext;
    private Time.Cancellable nextStep = () -> {};
    private Time.Cancellable initialEnd = () -> {};
    private Time.Cancellable resync = () -> {};
    private long openedNanos;
    private long lists;
    private long stalls;

    /** @param client the caller closes it, after this */
    public KindWatch(WatchedKind<T, S> kind, KubernetesClient client, WatchSettings settings, Time time) {
        this.kind = kind;
        this.client = client;
        this.settings = settings;
        this.time = time;
        this.list = new PagedList<>(kind, client, settings, time);
        this.silence = new SilenceCheck(time, settings.stallAfter(), this::locked);
        this.troubles = new Troubles(
                kind.name(),
                client.getMasterUrl().toString(),
                new Backoff(settings.firstBackoff(), settings.longestBackoff()),
                time);
        this.store = new ReducedStore<>(kind.listener());
    }

    /** Starts reading and watching, and returns at once. Must be called only once. */
    public void start() {
        locked(() -> {
            kind.listener().inStep(false);
            step(Duration.ZERO, this::readAll);
        });
    }

    /** A call to the listener that is in progress may still end afterwards; none starts. */
    @Override
    public void close() {
        locked(() -> {
            stopped = true;
            nextStep.cancel();
            resync.cancel();
            closeStream();
        });
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** At most one next step is scheduled: reading everything, or watching. */
    private void step(Duration delay, Runnable what) {
        nextStep.cancel();
        if (!stopped) {
            nextStep = time.schedule(delay, what);
        }
    }

    private void closeStream() {
        silence.stop();
        initialEnd.cancel();
        initial = null;
        answered = false;
        WatchStream open = stream;
        stream = null;
        if (open != null) {
            open.cancel();
        }
    }

    private void readAll() {
        if (!watchList()) {
            list();
        }
    }

    /** False if a list is needed instead. */
    private boolean watchList() {
        lock.lock();
        try {
            resync.cancel();
            closeStream();
            if (stopped || watchListsRefused || listNext) {
                return false;
            }
            open("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", new InitialState<>());
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void list() {
        try {
            list.read(new Listed());
        } catch (RuntimeException e) {
            boolean expired = e instanceof KubernetesClientException failed && failed.getCode() == GONE;
            locked(() -> again("list", e, expired, this::readAll));
        }
    }

    private final class Listed implements PagedList.Objects<T> {

        private final Set<String> seen = new HashSet<>();

        @Override
        public void read(T item) {
            S state;
            try {
                state = kind.reduce().apply(item);
            } catch (RuntimeException e) {
                unreadable(item.getMetadata(), e);
                return;
            }
            take(item.getMetadata(), () -> {
                unreadable.remove(ReducedStore.key(item.getMetadata()));
                store.listed(item.getMetadata(), state);
            });
        }

        @Override
        public void unreadable(ObjectMeta metadata, Throwable why) {
            take(metadata, () -> {
                reportUnreadable(metadata, why);
                store.listedUnreadable(metadata);
            });
        }

        private void take(ObjectMeta metadata, Runnable action) {
            locked(() -> {
                if (!stopped) {
                    silence.sign();
                    seen.add(ReducedStore.key(metadata));
                    action.run();
                }
            });
        }

        @Override
        public void end(String at) {
            locked(() -> {
                if (!stopped) {
                    silence.sign();
                    store.retain(seen);
                    unreadable.retainAll(seen);
                    readToTheEnd(at);
                    listNext = false;
                    step(Duration.ZERO, KindWatch.this::watch);
                    kind.listener().settled();
                }
            });
        }
    }

    /** Logs each object once, until it can be read again or is gone. */
    private void reportUnreadable(ObjectMeta metadata, Throwable why) {
        String key = ReducedStore.key(metadata);
        log.atLevel(unreadable.add(key) ? Level.WARN : Level.DEBUG)
                .addKeyValue("kind", kind.name())
                .addKeyValue("object", ForeignText.line(key))
                .addKeyValue("cause", ObjectIdentity.cause(why))
                .log("Object cannot be read; what was known of it stays in use");
    }

    private void readToTheEnd(String at) {
        version = at;
        synced = true;
        kind.listener().inStep(true);
        lists++;
        troubles.succeeded();
        if (settings.resyncInterval().isPositive()) {
            resync = time.schedule(jittered(settings.resyncInterval()), this::resync);
        }
    }

    private void resync() {
        locked(() -> {
            closeStream(); // or its end could replace the read by a watch
            step(Duration.ZERO, this::readAll);
        });
    }

    private Duration jittered(Duration interval) {
        return interval.plusNanos((long) (interval.toNanos() * 0.2 * (time.draw() - 0.5)));
    }

    private void watch() {
        locked(() -> {
            if (!stopped) {
                closeStream();
                open("&resourceVersion=" + version, null);
            }
        });
    }

    private void open(String from, @Nullable InitialState<S> toBeShown) {
        openedNanos = time.nanoTime();
        long timeout = 300 + (long) (300 * time.draw());
        WatchStream opened;
        try {
            opened = new WatchStream(
                    client,
                    kind.watch() + "watch=true&allowWatchBookmarks=true" + from + "&timeoutSeconds=" + timeout,
                    events);
        } catch (RuntimeException e) { // a version that is not allowed in a URL
            failed("watch", e, this::readAll);
            return;
        }
        stream = opened;
        initial = toBeShown;
        if (toBeShown != null) {
            initialEnd = time.schedule(INITIAL_EVENTS, () -> locked(() -> initialEventsAreLate(opened)));
        }
        silence.start(this::stalled); // before the start: the stream may end before start() returns
        opened.start();
    }

    private void initialEventsAreLate(WatchStream late) {
        if (late.equals(stream) && initial != null) {
            listInstead(Level.INFO, "no end of the initial events within " + INITIAL_EVENTS.toSeconds() + " s");
        }
    }

    private void listInstead(Level level, String why) {
        log.atLevel(level)
                .addKeyValue("kind", kind.name())
                .addKeyValue("reason", why)
                .log("Watch did not deliver the initial objects; listing them instead");
        reopen(Duration.ZERO, this::readAll);
    }

    private void stalled(Duration silent) {
        log.atInfo()
                .addKeyValue("kind", kind.name())
                .addKeyValue("silentFor", silent.toSeconds() + " s")
                .log("Watch was silent; opening it again");
        stalls++;
        reopen(Duration.ZERO, initial == null ? this::watch : this::readAll);
    }

    /** If the objects were not read to their end, they are listed. */
    private void reopen(Duration delay, Runnable next) {
        kind.listener().inStep(false);
        listNext |= initial != null;
        closeStream();
        step(delay, next);
    }

    private void take(WatchStream from, Runnable action) {
        locked(() -> {
            if (from.equals(stream)) {
                silence.sign();
                try {
                    action.run();
                } catch (RuntimeException e) {
                    log.atError()
                            .setCause(e)
                            .addKeyValue("kind", kind.name())
                            .log("Listener failed; reading everything again");
                    failed("listener", e, this::readAll);
                }
            }
        });
    }

    private void received(WatchStream from, WatchEvent event) {
        Object object = event.getObject();
        if (object instanceof Status status) {
            int code = status.getCode() == null ? 500 : status.getCode();
            events.ended(from, code, new IllegalStateException("HTTP " + code + ": " + status.getMessage()));
            return;
        }
        if (!kind.type().isInstance(object)) { // from the same version the event would come again
            failed("watch", new IllegalStateException("an event about another kind"), this::readAll);
            return;
        }
        received(event.getType(), kind.type().cast(object));
    }

    private void received(String type, T item) {
        ObjectMeta metadata = item.getMetadata();
        boolean isInitial = initial != null;
        switch (type) {
            case "ADDED", "MODIFIED" -> {
                S state;
                try {
                    state = kind.reduce().apply(item);
                } catch (RuntimeException e) {
                    receivedUnreadable(type, metadata, e);
                    return;
                }
                unreadable.remove(ReducedStore.key(metadata));
                if (initial == null) {
                    store.watched(metadata, state);
                } else {
                    initial.shown(metadata, state);
                }
            }
            case "DELETED" -> gone(metadata);
            default -> bookmark(metadata);
        }
        if (!isInitial) {
            upTo(metadata);
        }
    }

    /** Its deletion needs no more than its identity. */
    private void receivedUnreadable(String type, ObjectMeta metadata, RuntimeException why) {
        if (type.equals("DELETED")) {
            gone(metadata);
        } else {
            reportUnreadable(metadata, why);
            if (initial == null) {
                store.watchedUnreadable(metadata);
            } else {
                initial.unreadable(metadata);
            }
        }
        if (initial == null) {
            upTo(metadata);
        }
    }

    private void gone(ObjectMeta metadata) {
        unreadable.remove(ReducedStore.key(metadata));
        if (initial == null) {
            store.removed(metadata);
        } else {
            initial.deleted(metadata);
        }
    }

    /** A bookmark carries a version and shows that the watch is alive; one marks the end of the initial events. */
    private void bookmark(ObjectMeta metadata) {
        InitialState<S> state = initial;
        Map<String, String> annotations = metadata.getAnnotations();
        if (state != null && annotations != null && "true".equals(annotations.get(INITIAL_EVENTS_END))) {
            initialEnd.cancel();
            unreadable.retainAll(state.moveTo(store));
            initial = null;
            readToTheEnd(metadata.getResourceVersion());
            kind.listener().settled();
        }
    }

    private void upTo(ObjectMeta metadata) {
        kind.listener().settled();
        kind.listener().inStep(true);
        version = metadata.getResourceVersion();
        troubles.watchWorks();
    }

    /** 429 is not a refusal of this request in particular. */
    private static boolean isRefusal(int status) {
        return status >= BAD_REQUEST && status < 500 && status != 408 && status != 429;
    }

    private void failed(String what, Throwable error, Runnable then) {
        again(what, error, false, then);
    }

    private void again(String what, Throwable error, boolean expired, Runnable then) {
        if (!stopped) {
            reopen(expired ? troubles.expired(what, error) : troubles.failed(what, error), then);
        }
    }

    /** Whether everything was read and reported at least once. Stays true. */
    public boolean hasSynced() {
        return status().synced();
    }

    Optional<String> uid(String key) {
        lock.lock();
        try {
            return Optional.ofNullable(store.uid(key)).filter(uid -> !uid.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    private final class Events implements WatchStream.Listener {

        @Override
        public void opened(WatchStream opened) {
            locked(() -> {
                if (opened.equals(stream)) {
                    answered = true;
                    if (initial == null) {
                        kind.listener().inStep(true);
                    }
                }
            });
        }

        @Override
        public void line(WatchStream from, String line) {
            WatchEvent event;
            try {
                event = kind.event(client.getKubernetesSerialization(), line);
            } catch (RuntimeException e) {
                Optional<ObjectIdentity.Event> about = ObjectIdentity.ofEvent(line, kind.type());
                take(
                        from,
                        () -> about.ifPresentOrElse(
                                one -> receivedUnreadable(one.type(), one.metadata(), e),
                                () -> failed("watch", e, KindWatch.this::readAll)));
                return;
            }
            take(from, () -> received(from, event));
        }

        @Override
        public void ended(WatchStream ended, int status, @Nullable Throwable error) {
            locked(() -> {
                if (!ended.equals(stream)) {
                    return;
                }
                boolean wasReading = initial != null;
                Throwable cause = error == null ? new IllegalStateException("the watch ended at once") : error;
                if (status == GONE) {
                    again("watch", cause, true, KindWatch.this::readAll);
                } else if (wasReading && (error == null || isRefusal(status))) {
                    watchListsRefused = status == BAD_REQUEST || status == UNPROCESSABLE;
                    listInstead(Level.DEBUG, String.valueOf(cause.getMessage()));
                } else if (wasReading) {
                    failed("watch", cause, KindWatch.this::readAll);
                } else if (error == null && time.nanoTime() - openedNanos >= SHORT.toNanos()) {
                    closeStream();
                    troubles.watchWorks();
                    step(Duration.ZERO, KindWatch.this::watch);
                } else {
                    failed("watch", cause, KindWatch.this::watch);
                }
            });
        }
    }

    /** The state of this watch. */
    public WatchStatus status() {
        lock.lock();
        try {
            return new WatchStatus(
                    kind.name(),
                    synced,
                    answered,
                    store.size(),
                    silence.lastSign(),
                    lists,
                    stalls,
                    troubles.lastError());
        } finally {
            lock.unlock();
        }
    }
}
