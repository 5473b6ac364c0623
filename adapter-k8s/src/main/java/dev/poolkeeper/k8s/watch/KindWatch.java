package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists one kind in pages and watches it from there; lists again when the watch cannot go on from where it was (410),
 * when the listener failed, and at every resync. A watch that ends or falls silent is opened anew from the last version
 * seen. Only a list that was read to its end says that an object is gone. A list shows the newest state, so that an API
 * server which lags cannot lead back in time.
 *
 * <p>Thread-safe. The listener is called under the lock of this kind, hence in the order of versions.
 */
final class KindWatch<T extends HasMetadata, S> implements WatchStream.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(KindWatch.class);
    private static final int GONE = 410;
    /** A watch that ends sooner is no reason to hurry. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private final WatchedKind<T, S> kind;
    private final KubernetesClient client;
    private final WatchSettings settings;
    private final Time time;
    private final PagedList<T> list;
    private final ReducedStore<S> store;
    private final SilenceCheck silence;
    private final Backoff backoff;
    private final ReentrantLock lock = new ReentrantLock();

    private boolean stopped;
    private boolean synced;
    private String version = "";
    private @Nullable WatchStream stream;
    private Time.Cancellable nextStep = () -> {};
    private Time.Cancellable resync = () -> {};
    private long openedNanos;
    private long lists;
    private long stalls;
    private @Nullable String lastError;

    KindWatch(
            WatchedKind<T, S> kind,
            KubernetesClient client,
            WatchSettings settings,
            Time time,
            ClusterListener listener) {
        this.kind = kind;
        this.client = client;
        this.settings = settings;
        this.time = time;
        this.list = new PagedList<>(kind, client, settings);
        this.silence = new SilenceCheck(time, settings.stallAfter(), this::locked);
        this.backoff = new Backoff(settings, time);
        this.store = new ReducedStore<>(
                state -> kind.changed().accept(listener, state),
                state -> kind.deleted().accept(listener, state));
    }

    void start() {
        locked(() -> step(Duration.ZERO, this::relist));
    }

    void stop() {
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

    /** There is one next step at most: a list, or a watch. */
    private void step(Duration delay, Runnable what) {
        nextStep.cancel();
        if (!stopped) {
            nextStep = time.schedule(delay, what);
        }
    }

    private void closeStream() {
        silence.stop();
        WatchStream open = stream;
        stream = null;
        if (open != null) {
            open.cancel();
        }
    }

    private void relist() {
        locked(() -> {
            resync.cancel();
            closeStream();
        });
        try {
            Set<String> seen = new HashSet<>();
            list.read((page, last) -> locked(() -> take(page, seen, last)));
        } catch (RuntimeException e) {
            locked(() -> failed("list", e, this::relist));
        }
    }

    private void take(KubernetesResourceList<T> page, Set<String> seen, boolean last) {
        if (stopped) {
            return;
        }
        silence.sign();
        for (T item : page.getItems()) {
            store.listed(item.getMetadata(), kind.reduce().apply(item));
            seen.add(ReducedStore.key(item.getMetadata()));
        }
        if (last) {
            store.retain(seen);
            version = page.getMetadata().getResourceVersion();
            synced = true;
            lists++;
            lastError = null;
            if (settings.resyncInterval().isPositive()) {
                resync = time.schedule(jittered(settings.resyncInterval()), this::resync);
            }
            step(Duration.ZERO, this::watch);
        }
    }

    private void resync() {
        locked(() -> {
            closeStream(); // or its end could put a watch in the list's place
            step(Duration.ZERO, this::relist);
        });
    }

    private Duration jittered(Duration interval) {
        return interval.plusNanos((long) (interval.toNanos() * 0.2 * (time.draw() - 0.5)));
    }

    private void watch() {
        locked(() -> {
            if (stopped) {
                return;
            }
            closeStream();
            openedNanos = time.nanoTime();
            long timeout = 300 + (long) (300 * time.draw());
            try {
                stream = new WatchStream(
                        client,
                        kind.path() + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + version
                                + "&timeoutSeconds=" + timeout,
                        this);
            } catch (RuntimeException e) { // a version that no address can hold
                failed("watch", e, this::relist);
                return;
            }
            silence.start(this::stalled); // first: the stream may end before start() returns
            stream.start();
        });
    }

    private void stalled(Duration silent) {
        LOG.info("Watch of {} was silent for {}, opening it again", kind.name(), silent);
        stalls++;
        closeStream();
        step(Duration.ZERO, this::watch);
    }

    @Override
    public void line(WatchStream from, String line) {
        WatchEvent event;
        try {
            event = client.getKubernetesSerialization().unmarshal(line, WatchEvent.class);
        } catch (RuntimeException e) {
            locked(() -> {
                if (from.equals(stream)) {
                    failed("watch", e, this::relist);
                }
            });
            return;
        }
        locked(() -> {
            if (from.equals(stream)) {
                silence.sign();
                try {
                    received(from, event);
                } catch (RuntimeException e) {
                    LOG.error("Listener failed on a {}, listing again", kind.name(), e);
                    failed("listener", e, this::relist);
                }
            }
        });
    }

    private void received(WatchStream from, WatchEvent event) {
        Object object = event.getObject();
        if (object instanceof Status status) {
            int code = status.getCode() == null ? 500 : status.getCode();
            ended(from, code, new IllegalStateException("watch said " + event.getType() + " " + code));
            return;
        }
        if (!kind.type().isInstance(object)) { // from the same version it would say the same again
            failed("watch", new IllegalStateException("watch told of something else"), this::relist);
            return;
        }
        T item = kind.type().cast(object);
        switch (event.getType()) {
            case "ADDED", "MODIFIED" ->
                store.watched(item.getMetadata(), kind.reduce().apply(item));
            case "DELETED" -> store.removed(item.getMetadata());
            default -> {} // a bookmark is a version and a sign of life
        }
        version = item.getMetadata().getResourceVersion();
        lastError = null;
        backoff.reset(); // not already after a list: lists that no watch can go on from must not hurry
    }

    @Override
    public void ended(WatchStream ended, int status, @Nullable Throwable error) {
        locked(() -> {
            if (!ended.equals(stream)) {
                return;
            }
            if (status == GONE) {
                failed("watch", error == null ? new IllegalStateException("gone") : error, this::relist);
            } else if (error == null && time.nanoTime() - openedNanos >= SHORT.toNanos()) {
                closeStream();
                backoff.reset();
                step(Duration.ZERO, this::watch);
            } else {
                failed("watch", error == null ? new IllegalStateException("ended at once") : error, this::watch);
            }
        });
    }

    private void failed(String what, Throwable error, Runnable then) {
        if (stopped) {
            return;
        }
        closeStream();
        Duration wait = backoff.next();
        lastError = what + ": " + error.getMessage();
        LOG.warn("Kubernetes {} of {} failed, again in {}: {}", what, kind.name(), wait, error.toString());
        step(wait, then);
    }

    boolean hasSynced() {
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

    WatchStatus status() {
        lock.lock();
        try {
            return new WatchStatus(
                    kind.name(),
                    synced,
                    stream != null,
                    store.size(),
                    silence.lastSign(),
                    lists,
                    stalls,
                    Optional.ofNullable(lastError));
        } finally {
            lock.unlock();
        }
    }
}
