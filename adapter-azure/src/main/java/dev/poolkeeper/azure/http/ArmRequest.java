package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request to ARM.
 *
 * @param purpose what it is for; decides the method, the gate that it passes and the largest answer
 * @param loadBalancer the load balancer it concerns; null for a listing
 * @param address where it goes, absolute
 * @param update what a write sends; null for a GET
 * @param waitedUntil until when it has waited for a gate already
 * @param deadline when its whole call is given up
 * @param context what the call that it is part of carries
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
     * What a write sends.
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

    /** The same request to another address: the next page of a list. */
    ArmRequest at(String newAddress) {
        return new ArmRequest(purpose, loadBalancer, newAddress, update, waitedUntil, deadline, context);
    }

    /** The same request, which a clock that stands still does not make wait for this instant again. */
    public ArmRequest havingWaitedUntil(Instant instant) {
        return new ArmRequest(purpose, loadBalancer, address, update, instant, deadline, context);
    }

    /** What decides which route of a retry policy it takes. Its headers are not known here. */
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

    boolean isWrite() {
        return purpose == ArmCall.Purpose.WRITE;
    }
}
