package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The holders of a Lease over time, as accepted by the API server, in true time. */
public final class LockHistory {

    /**
     * A period in which a Lease had one holder.
     *
     * @param holder the identity of the holder
     * @param since the start
     * @param until the end; {@link Long#MAX_VALUE} if it has not ended
     * @param seconds how long it lasts without renewal, as its holder knows it; 0 if the Lease had no duration
     */
    public record Hold(String holder, long since, long until, int seconds) {

        public long nanos() {
            return until - since;
        }
    }

    /** Is notified of holds. */
    public interface Observer {

        /** @param before the hold before this one, null for the first */
        void taken(@Nullable Hold before, Hold now);

        /** A daemon has released it, and left this duration in the Lease; 0 if there is none. */
        void released(Hold hold, int seconds);
    }

    private final LongSupplier now;
    private final List<Observer> observers = new ArrayList<>();
    private String acquired = "";
    private @Nullable Integer known;
    private @Nullable Hold current;
    private @Nullable Hold before;

    LockHistory(LongSupplier now) {
        this.now = now;
    }

    public void observe(Observer observer) {
        observers.add(observer);
    }

    /** The current hold; null if the Lease has no holder. */
    public @Nullable Hold current() {
        return current;
    }

    /**
     * The duration that other writers have last given the Lease; 0 for none; null if they know no Lease. They never
     * look whether another writer changed it.
     */
    public @Nullable Integer known() {
        return known;
    }

    void know(int seconds) {
        known = seconds;
    }

    /**
     * Records the Lease's current content.
     *
     * @param isOfDaemon whether a daemon wrote it
     */
    void is(JsonNode lease, boolean isOfDaemon) {
        String holder = lease.path("spec").path("holderIdentity").asText("");
        String since = lease.path("spec").path("acquireTime").asText("");
        Hold last = current;
        if (last != null && last.holder().equals(holder) && since.equals(acquired)) {
            return;
        }
        if (last != null) {
            before = new Hold(last.holder(), last.since(), now.getAsLong(), last.seconds());
            current = null;
            if (isOfDaemon && holder.isEmpty()) {
                observers.forEach(observer -> observer.released(last, secondsOf(lease)));
            }
        }
        acquired = since;
        if (!holder.isEmpty()) {
            Integer ofOthers = known;
            int seconds = isOfDaemon || ofOthers == null ? secondsOf(lease) : ofOthers;
            Hold taken = new Hold(holder, now.getAsLong(), Long.MAX_VALUE, seconds);
            current = taken;
            observers.forEach(observer -> observer.taken(before, taken));
        }
    }

    private static int secondsOf(JsonNode lease) {
        return lease.path("spec").path("leaseDurationSeconds").asInt();
    }
}
