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
     * @param seconds the duration that was written at the start; 0 if there was none
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

    /** The current hold; null if the Lease has no holder. */
    public @Nullable Hold current() {
        return current;
    }

    /** Records the Lease's current content. */
    void is(JsonNode lease) {
        String holder = lease.path("spec").path("holderIdentity").asText("");
        String since = lease.path("spec").path("acquireTime").asText("");
        Hold last = current;
        if (last != null && last.holder().equals(holder) && since.equals(acquired)) {
            return;
        }
        if (last != null) {
            before = new Hold(last.holder(), last.since(), now.getAsLong(), last.seconds());
            current = null;
        }
        acquired = since;
        if (!holder.isEmpty()) {
            int seconds = lease.path("spec").path("leaseDurationSeconds").asInt();
            Hold taken = new Hold(holder, now.getAsLong(), Long.MAX_VALUE, seconds);
            current = taken;
            observers.forEach(observer -> observer.taken(before, taken));
        }
    }
}
