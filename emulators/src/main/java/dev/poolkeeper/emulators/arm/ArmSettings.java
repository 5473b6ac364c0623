package dev.poolkeeper.emulators.arm;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the ARM emulator behaves. Immutable: {@code withX} returns a copy.
 *
 * <p>By default it is as kind as Azure can be: operations end at once, nothing is throttled, any bearer token will do.
 */
public final class ArmSettings {

    /** What holds where nothing is set. */
    public static final ArmSettings DEFAULT = new ArmSettings();

    private static final int LARGEST_PORT = 65_535;

    // written by copy() only, before anybody else sees the object
    int port;

    @Nullable
    String subscription;

    @Nullable
    String resourceGroup;

    String location = "westeurope";
    Duration operationDuration = Duration.ZERO;

    @Nullable
    InstantSource operationClock;

    @Nullable
    Duration retryAfterOnPolls;

    int statusOfUpdates = 201;
    EtagScope etagScope = EtagScope.LOAD_BALANCER;
    ConcurrentWrites concurrentWrites = ConcurrentWrites.SUPERSEDE;

    @Nullable
    Throttling throttling;

    ArmRole role = ArmRole.OWNER;
    boolean onlyIssuedTokens;
    Duration tokenLifetime = Duration.ofHours(1);
    int pageSize = Integer.MAX_VALUE;
    int requestLogSize = 100_000;
    Consumer<AnsweredRequest> onRequest = request -> {};

    private ArmSettings() {}

    private ArmSettings with(Consumer<ArmSettings> change) {
        ArmSettings copy = new ArmSettings();
        copy.port = port;
        copy.subscription = subscription;
        copy.resourceGroup = resourceGroup;
        copy.location = location;
        copy.operationDuration = operationDuration;
        copy.operationClock = operationClock;
        copy.retryAfterOnPolls = retryAfterOnPolls;
        copy.statusOfUpdates = statusOfUpdates;
        copy.etagScope = etagScope;
        copy.concurrentWrites = concurrentWrites;
        copy.throttling = throttling;
        copy.role = role;
        copy.onlyIssuedTokens = onlyIssuedTokens;
        copy.tokenLifetime = tokenLifetime;
        copy.pageSize = pageSize;
        copy.requestLogSize = requestLogSize;
        copy.onRequest = onRequest;
        change.accept(copy);
        return copy;
    }

    /**
     * The port to listen on; 0, the default, for one that is free.
     *
     * @throws IllegalArgumentException if it is none
     */
    public ArmSettings withPort(int port) {
        return with(copy -> copy.port = within("port", port, 0, LARGEST_PORT));
    }

    /** Default: that of the first load balancer's id, else {@code 00000000-0000-0000-0000-000000000000}. */
    public ArmSettings withSubscription(String subscription) {
        return with(copy -> copy.subscription = subscription);
    }

    /** Default: that of the first load balancer's id, else {@code poolkeeper}. Others that ids name exist too. */
    public ArmSettings withResourceGroup(String resourceGroup) {
        return with(copy -> copy.resourceGroup = resourceGroup);
    }

    /** The region in the URLs of operations. Default: {@code westeurope}. */
    public ArmSettings withLocation(String location) {
        return with(copy -> copy.location = location);
    }

    /** How long a write that changes something is at work. Zero, the default: done when it is answered. */
    public ArmSettings withOperationDuration(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("an operation's duration must not be negative, got " + duration);
        }
        return with(copy -> copy.operationDuration = duration);
    }

    /** The clock on which operations end, where it is another one than the cloud's. */
    public ArmSettings withOperationClock(InstantSource clock) {
        return with(copy -> copy.operationClock = clock);
    }

    /**
     * Sent as {@code Retry-After} with accepted writes and polls of running operations; null, the default, for none.
     */
    public ArmSettings withRetryAfterOnPolls(@Nullable Duration retryAfter) {
        return with(copy -> copy.retryAfterOnPolls = retryAfter);
    }

    /** The status of a PUT that changes what exists: 201, the default, or 200. Creating is always 201. */
    public ArmSettings withStatusOfUpdates(int status) {
        return with(copy -> copy.statusOfUpdates = within("status of updates", status, 200, 201));
    }

    /** Default: {@link EtagScope#LOAD_BALANCER}. */
    public ArmSettings withEtagScope(EtagScope scope) {
        return with(copy -> copy.etagScope = scope);
    }

    /** Default: {@link ConcurrentWrites#SUPERSEDE}. */
    public ArmSettings withConcurrentWrites(ConcurrentWrites concurrentWrites) {
        return with(copy -> copy.concurrentWrites = concurrentWrites);
    }

    /** How many requests are let through; null, the default, for all. Other limits start with full buckets. */
    public ArmSettings withThrottling(@Nullable Throttling throttling) {
        return with(copy -> copy.throttling = throttling);
    }

    /** What callers may do; anything else is answered with 403. Default: {@link ArmRole#OWNER}. */
    public ArmSettings withRole(ArmRole role) {
        return with(copy -> copy.role = role);
    }

    /** Whether only tokens are good that the token endpoint gave and that did not expire. Default: any token is. */
    public ArmSettings withOnlyIssuedTokens(boolean onlyIssuedTokens) {
        return with(copy -> copy.onlyIssuedTokens = onlyIssuedTokens);
    }

    /** How long a token is good. Default: an hour. */
    public ArmSettings withTokenLifetime(Duration lifetime) {
        return with(copy -> copy.tokenLifetime = lifetime);
    }

    /** How many load balancers or pools a page of a list holds at most. Default: all. */
    public ArmSettings withPageSize(int pageSize) {
        return with(copy -> copy.pageSize = within("page size", pageSize, 1, Integer.MAX_VALUE));
    }

    /** How many requests the log remembers, the latest ones. Default: 100,000. */
    public ArmSettings withRequestLogSize(int size) {
        return with(copy -> copy.requestLogSize = within("request log size", size, 0, Integer.MAX_VALUE));
    }

    /** Called with each request just before its answer is sent, on the thread that sends it. */
    public ArmSettings withOnRequest(Consumer<AnsweredRequest> onRequest) {
        return with(copy -> copy.onRequest = onRequest);
    }

    private static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("%s must be from %d to %d, got %d".formatted(what, least, most, value));
        }
        return value;
    }
}
