package dev.poolkeeper.fake.cloud;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An error response in place of a call, or a failure of a call that is carried out.
 *
 * @param method the HTTP method it applies to, {@code *} for any
 * @param loadBalancer the load balancers it applies to, in the inventory's spelling
 * @param pool the pools it applies to, in the inventory's spelling; the pool name is empty for a call on a load
 *     balancer itself
 * @param from the start of the time in which it matches, inclusive, since the start of the cloud
 * @param until the end of that time, exclusive; null for no end
 * @param skip the number of matching calls to pass on first
 * @param times the number of calls to answer after that; null for all
 * @param status the HTTP status of the response, 400 to 599; null if the call is carried out and only {@code https}
 *     fails
 * @param retryAfter the {@code Retry-After} of the response, null for none; used only on 429
 * @param code the ARM error code of the response, null for none; with {@link HttpsFault#operation} that of the
 *     operation
 * @param share the share of the matching calls that reach it
 * @param https its effects beyond the status
 */
public record FaultRule(
        String method,
        Glob loadBalancer,
        Glob pool,
        Duration from,
        @Nullable Duration until,
        long skip,
        @Nullable Long times,
        @Nullable Integer status,
        @Nullable Duration retryAfter,
        @Nullable String code,
        Share share,
        HttpsFault https) {

    /** A rule that answers every call with a status. */
    public static FaultRule always(int status) {
        return any(status, HttpsFault.NONE);
    }

    /** A rule under which every call is carried out but fails in another way than by its status. */
    public static FaultRule always(HttpsFault https) {
        return any(null, https);
    }

    private static FaultRule any(@Nullable Integer status, HttpsFault https) {
        return new FaultRule(
                "*", Glob.ANY, Glob.ANY, Duration.ZERO, null, 0, null, status, null, null, Share.ALL, https);
    }

    public FaultRule forMethod(String newMethod) {
        return new FaultRule(
                newMethod, loadBalancer, pool, from, until, skip, times, status, retryAfter, code, share, https);
    }

    public FaultRule forLoadBalancer(String glob) {
        return new FaultRule(
                method, new Glob(glob), pool, from, until, skip, times, status, retryAfter, code, share, https);
    }

    public FaultRule forPool(String glob) {
        return new FaultRule(
                method, loadBalancer, new Glob(glob), from, until, skip, times, status, retryAfter, code, share, https);
    }

    public FaultRule skip(long newSkip) {
        return new FaultRule(
                method, loadBalancer, pool, from, until, newSkip, times, status, retryAfter, code, share, https);
    }

    public FaultRule times(long newTimes) {
        return new FaultRule(
                method, loadBalancer, pool, from, until, skip, newTimes, status, retryAfter, code, share, https);
    }

    public FaultRule retryAfter(Duration newRetryAfter) {
        return new FaultRule(
                method, loadBalancer, pool, from, until, skip, times, status, newRetryAfter, code, share, https);
    }

    public FaultRule code(String newCode) {
        return new FaultRule(
                method, loadBalancer, pool, from, until, skip, times, status, retryAfter, newCode, share, https);
    }

    public FaultRule share(Share newShare) {
        return new FaultRule(
                method, loadBalancer, pool, from, until, skip, times, status, retryAfter, code, newShare, https);
    }

    public FaultRule https(HttpsFault newHttps) {
        return new FaultRule(
                method, loadBalancer, pool, from, until, skip, times, status, retryAfter, code, share, newHttps);
    }

    /** Whether it has settings that a cloud in memory ignores. */
    public boolean isHttpsOnly() {
        return status == null || !share.equals(Share.ALL) || !https.equals(HttpsFault.NONE);
    }

    boolean fits(String calledMethod, String calledLoadBalancer, String calledPool, Duration since) {
        return (method.equals("*") || method.equals(calledMethod))
                && loadBalancer.matches(calledLoadBalancer)
                && pool.matches(calledPool)
                && since.compareTo(from) >= 0
                && (until == null || since.compareTo(until) < 0);
    }
}
