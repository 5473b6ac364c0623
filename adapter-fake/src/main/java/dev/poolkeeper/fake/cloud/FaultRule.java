package dev.poolkeeper.fake.cloud;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the cloud answers instead of doing some calls.
 *
 * @param method the HTTP method it is for, {@code *} for any
 * @param loadBalancer which load balancers, in the inventory's spelling
 * @param pool which pools, in the inventory's spelling
 * @param from the first moment at which it fits, since the start
 * @param until the first moment after, null for no end
 * @param skip how many fitting calls that reach it pass on before it answers
 * @param times how many it answers then, null for all
 * @param status the answer's HTTP status, 400 to 599
 * @param retryAfter the answer's {@code Retry-After}, null for none; means something on 429 only
 * @param code the answer's ARM error code, null for none
 */
public record FaultRule(
        String method,
        Glob loadBalancer,
        Glob pool,
        Duration from,
        @Nullable Duration until,
        long skip,
        @Nullable Long times,
        int status,
        @Nullable Duration retryAfter,
        @Nullable String code) {

    /** A rule that answers every call with a status. */
    public static FaultRule always(int status) {
        return new FaultRule("*", Glob.ANY, Glob.ANY, Duration.ZERO, null, 0, null, status, null, null);
    }

    public FaultRule forMethod(String newMethod) {
        return new FaultRule(newMethod, loadBalancer, pool, from, until, skip, times, status, retryAfter, code);
    }

    public FaultRule forPool(String glob) {
        return new FaultRule(method, loadBalancer, new Glob(glob), from, until, skip, times, status, retryAfter, code);
    }

    public FaultRule times(long newTimes) {
        return new FaultRule(method, loadBalancer, pool, from, until, skip, newTimes, status, retryAfter, code);
    }

    public FaultRule retryAfter(Duration newRetryAfter) {
        return new FaultRule(method, loadBalancer, pool, from, until, skip, times, status, newRetryAfter, code);
    }

    public FaultRule code(String newCode) {
        return new FaultRule(method, loadBalancer, pool, from, until, skip, times, status, retryAfter, newCode);
    }

    boolean fits(String calledMethod, String calledLoadBalancer, String calledPool, Duration since) {
        return (method.equals("*") || method.equals(calledMethod))
                && loadBalancer.matches(calledLoadBalancer)
                && pool.matches(calledPool)
                && since.compareTo(from) >= 0
                && (until == null || since.compareTo(until) < 0);
    }
}
