package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Who held a Lease from when to when, as the API server accepted it, by true time. */
public final class LockHistory {

    /**
     * A stretch in which a Lease named one holder.
     *
     * @param holder whom it named
     * @param since since when
     * @param until when it named that holder no longer; {@link Long#MAX_VALUE} while it does
     */
    public record Hold(String holder, long since, long until) {

        public long nanos() {
            return until - since;
        }
    }

    /** Hears of holds. */
    public interface Observer {

        /** @param before the hold before this one, null for the first */
        void taken(@Nullable Hold before, Hold now);
    }

    private final LongSupplier now;
    private final List<Observer> observers = new ArrayList<>();
    private String acquired = "";
    private @Nullable Hold current;
    private @Nullable Hold before;

    LockHistory(LongSupplier now) {
        this.now = now;
    }

    public void observe(Observer observer) {
        observers.add(observer);
    }

    /** The hold that lasts; null while the Lease names no one. */
    public @Nullable Hold current() {
        return current;
    }

    /** The Lease is this now. */
    void is(JsonNode lease) {
        String holder = lease.path("spec").path("holderIdentity").asText("");
        String since = lease.path("spec").path("acquireTime").asText("");
        Hold last = current;
        if (last != null && last.holder().equals(holder) && since.equals(acquired)) {
            return;
        }
        if (last != null) {
            before = new Hold(last.holder(), last.since(), now.getAsLong());
            current = null;
        }
        acquired = since;
        if (!holder.isEmpty()) {
            Hold taken = new Hold(holder, now.getAsLong(), Long.MAX_VALUE);
            current = taken;
            observers.forEach(observer -> observer.taken(before, taken));
        }
    }
}
