package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request to ARM.
 *
 * @param purpose its purpose; determines the method, the gate and the size limit of the response
 * @param loadBalancer the load balancer it concerns; null for a listing
 * @param address the absolute URL
 * @param update the contents of a write; null for a GET
 * @param waitedUntil the time until which it has already waited for a gate
 * @param deadline the deadline of the whole call
 * @param context the context of the call that it belongs to
 */
public record ArmRequest(
        ArmCall.Purpose purpose,
        @Nullable ArmName loadBalancer,
        String address,
        @Nullable Update update,
        Instant waitedUntil,
        Deadline deadline,
        CallContext context) {

    /**
     * The contents of a write.
     *
     * @param etag the version that the resource must still have
     * @param body JSON
     */
    public record Update(String etag, byte[] body) {}

    /** A GET. */
    public static ArmRequest get(
            ArmCall.Purpose purpose,
            @Nullable ArmName loadBalancer,
            String address,
            Deadline deadline,
            CallContext context) {
        return new ArmRequest(purpose, loadBalancer, address, null, Instant.MIN, deadline, context);
    }

    /** A PUT of a pool. */
    public static ArmRequest put(
            ArmName loadBalancer, String address, Update update, Deadline deadline, CallContext context) {
        return new ArmRequest(ArmCall.Purpose.WRITE, loadBalancer, address, update, Instant.MIN, deadline, context);
    }

    /** The same request to another URL: the next page of a list. */
    ArmRequest at(String newAddress) {
        return new ArmRequest(purpose, loadBalancer, newAddress, update, waitedUntil, deadline, context);
    }

    /** The same request, marked so that it does not wait for this time again even if the clock stands still. */
    public ArmRequest havingWaitedUntil(Instant instant) {
        return new ArmRequest(purpose, loadBalancer, address, update, instant, deadline, context);
    }

    /** The parts that determine its route in a retry policy, without headers. */
    RequestHead head() {
        int authority = address.indexOf("://") + 3;
        int slash = address.indexOf('/', authority);
        String target = slash < 0 ? "/" : address.substring(slash);
        int mark = target.indexOf('?');
        return RequestHead.of(
                isWrite() ? "PUT" : "GET",
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1));
    }

    /**
     * Whether it may no longer be sent, because leadership or the resource lock was lost. A poll may: it only finds out
     * what an accepted write became.
     */
    boolean isFenced() {
        return purpose != ArmCall.Purpose.POLL && !context.term().isCurrent();
    }

    boolean isWrite() {
        return purpose == ArmCall.Purpose.WRITE;
    }
}
