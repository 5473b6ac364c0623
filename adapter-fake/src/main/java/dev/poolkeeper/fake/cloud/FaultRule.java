package dev.poolkeeper.fake.cloud;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the cloud answers instead of doing some calls, or what goes wrong with calls that it does.
 *
 * @param method the HTTP method it is for, {@code *} for any
 * @param loadBalancer which load balancers, in the inventory's spelling
 * @param pool which pools, in the inventory's spelling; a call on a load balancer itself has the empty pool name
 * @param from the first moment at which it fits, since the start
 * @param until the first moment after, null for no end
 * @param skip how many fitting calls that reach it pass on before it answers
 * @param times how many it answers then, null for all
 * @param status the answer's HTTP status, 400 to 599; null where the call is done and only {@code https} goes wrong
 * @param retryAfter the answer's {@code Retry-After}, null for none; means something on 429 only
 * @param code the answer's ARM error code, null for none; with {@link HttpsFault#operation} the operation's
 * @param share which part of the fitting calls reach it
 * @param https what it does beyond the status
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

    /** A rule under which every call is done, and goes wrong in another way than by its status. */
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

    /** Whether it says something that means nothing to a cloud in memory. */
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
