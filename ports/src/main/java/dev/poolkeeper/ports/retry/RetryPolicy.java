package dev.poolkeeper.ports.retry;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * When one HTTP exchange is retried, and how long it may take: an HTTPRoute rule's {@code retry} and {@code timeouts}.
 *
 * <p>Source: <a href="https://gateway-api.sigs.k8s.io/geps/gep-1731/">GEP-1731</a>, <a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-1742/">GEP-1742</a>. Connection errors (connection failed, connection
 * lost, timeout) are retried whenever attempts are left, regardless of {@code codes}. Immutable.
 *
 * @param codes the statuses that are retried, in ascending order; 400 to 599
 * @param attempts the maximum number of retries per exchange, not counting the first attempt; 0 switches retries off
 * @param backoff the shortest wait before a retry; 0 for none
 * @param request the longest time for the exchange including all attempts and waits; 0 for no limit
 * @param backendRequest the longest time for one attempt, not more than {@code request} unless that is 0; 0 for no
 *     limit
 */
public record RetryPolicy(
        SortedSet<Integer> codes, int attempts, Duration backoff, Duration request, Duration backendRequest) {

    /** As many retries as the budget and the timeout allow. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /**
     * ARM statuses that other layers handle: conflicts are retried after a fresh read, throttling has its own gate. A
     * policy for ARM is used {@link #withoutElsewhere()}.
     */
    public static final Set<Integer> ELSEWHERE = Set.of(409, 412, 429);

    /** The retries of an exchange if the configuration does not set them. */
    public static final int DEFAULT_ATTEMPTS = 3;

    /** The shortest wait if the configuration does not set it. */
    public static final Duration DEFAULT_BACKOFF = Duration.ofMillis(800);

    /** The longest attempt if the configuration does not set it. */
    public static final Duration DEFAULT_BACKEND_REQUEST = Duration.ofSeconds(60);

    /** The policy if none is configured: the SDK's retries of the design document. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(
            Set.of(408, 500, 502, 503, 504), DEFAULT_ATTEMPTS, DEFAULT_BACKOFF, Duration.ZERO, DEFAULT_BACKEND_REQUEST);

    /** No retries and no limits. */
    public static final RetryPolicy OFF = new RetryPolicy(Set.of(), 0, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    /** @throws InvalidPolicyException with every broken rule */
    public RetryPolicy {
        codes = Collections.unmodifiableSortedSet(new TreeSet<>(codes));
        Rules rules = new Rules();
        for (int code : codes) {
            rules.require(code >= 400 && code <= 599, "retry.codes", code, "must be a status from 400 to 599");
        }
        rules.require(attempts >= 0, "retry.attempts", attempts, "must be 0 (no retries) or more");
        rules.isDuration("retry.backoff", backoff);
        boolean bounded = rules.isDuration("timeouts.request", request) && !request.isZero();
        if (rules.isDuration("timeouts.backendRequest", backendRequest) && bounded) {
            rules.require(
                    backendRequest.compareTo(request) <= 0,
                    "timeouts.backendRequest",
                    backendRequest,
                    "must not be longer than timeouts.request, which is " + PolicyFault.text(request));
        }
        rules.requireNone();
    }

    public RetryPolicy(
            Collection<Integer> codes, int attempts, Duration backoff, Duration request, Duration backendRequest) {
        this((SortedSet<Integer>) new TreeSet<>(codes), attempts, backoff, request, backendRequest);
    }

    /** This policy without the statuses of {@link #ELSEWHERE}. */
    public RetryPolicy withoutElsewhere() {
        TreeSet<Integer> own = new TreeSet<>(codes);
        own.removeAll(ELSEWHERE);
        return new RetryPolicy((SortedSet<Integer>) own, attempts, backoff, request, backendRequest);
    }

    /** Whether retries are enabled; if so, connection errors are retried too. */
    public boolean isOn() {
        return attempts > 0;
    }

    /** Whether a response with that status is retried while attempts are left. */
    public boolean retries(int status) {
        return isOn() && codes.contains(status);
    }
}
