package dev.poolkeeper.emulators.arm;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the ARM emulator. Immutable: {@code withX} returns a copy.
 *
 * <p>By default operations complete immediately, requests are not throttled, and any bearer token is accepted.
 */
public final class ArmSettings {

    /** The default settings. */
    public static final ArmSettings DEFAULT = new ArmSettings();

    private static final int LARGEST_PORT = 65_535;

    // written only by copy(), before the object is published
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
     * The port to listen on; 0, the default, for a free one.
     *
     * @throws IllegalArgumentException if it is not a port number
     */
    public ArmSettings withPort(int port) {
        return with(copy -> copy.port = within("port", port, 0, LARGEST_PORT));
    }

    /** Default: from the first load balancer's id, otherwise {@code 00000000-0000-0000-0000-000000000000}. */
    public ArmSettings withSubscription(String subscription) {
        return with(copy -> copy.subscription = subscription);
    }

    /**
     * Default: from the first load balancer's id, otherwise {@code poolkeeper}. Resource groups in other ids exist too.
     */
    public ArmSettings withResourceGroup(String resourceGroup) {
        return with(copy -> copy.resourceGroup = resourceGroup);
    }

    /** The region in the URLs of operations. Default: {@code westeurope}. */
    public ArmSettings withLocation(String location) {
        return with(copy -> copy.location = location);
    }

    /** How long the operation of a write with changes runs. Zero, the default, to complete with the response. */
    public ArmSettings withOperationDuration(Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("an operation's duration must not be negative, got " + duration);
        }
        return with(copy -> copy.operationDuration = duration);
    }

    /** The clock of operations. Default: the cloud's clock. */
    public ArmSettings withOperationClock(InstantSource clock) {
        return with(copy -> copy.operationClock = clock);
    }

    /**
     * Sent as {@code Retry-After} with accepted writes and polls of running operations; null, the default, for none.
     */
    public ArmSettings withRetryAfterOnPolls(@Nullable Duration retryAfter) {
        return with(copy -> copy.retryAfterOnPolls = retryAfter);
    }

    /** The status of a PUT to an existing resource: 201, the default, or 200. Creation always returns 201. */
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

    /** The throttling limits; null, the default, for none. Changed limits start with full buckets. */
    public ArmSettings withThrottling(@Nullable Throttling throttling) {
        return with(copy -> copy.throttling = throttling);
    }

    /** The callers' role; any other action gets a 403. Default: {@link ArmRole#OWNER}. */
    public ArmSettings withRole(ArmRole role) {
        return with(copy -> copy.role = role);
    }

    /** Whether only unexpired tokens from the token endpoint are accepted. Default: any token is. */
    public ArmSettings withOnlyIssuedTokens(boolean onlyIssuedTokens) {
        return with(copy -> copy.onlyIssuedTokens = onlyIssuedTokens);
    }

    /** The lifetime of a token. Default: an hour. */
    public ArmSettings withTokenLifetime(Duration lifetime) {
        return with(copy -> copy.tokenLifetime = lifetime);
    }

    /** The maximum number of load balancers or pools per page of a list. Default: unlimited. */
    public ArmSettings withPageSize(int pageSize) {
        return with(copy -> copy.pageSize = within("page size", pageSize, 1, Integer.MAX_VALUE));
    }

    /** The number of latest requests kept in the log. Default: 100,000. */
    public ArmSettings withRequestLogSize(int size) {
        return with(copy -> copy.requestLogSize = within("request log size", size, 0, Integer.MAX_VALUE));
    }

    /** Called with each request just before its response is sent, on the sending thread. */
    public ArmSettings withOnRequest(Consumer<AnsweredRequest> onRequest) {
        return with(copy -> copy.onRequest = onRequest);
    }

    private static int within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("%s must be from %s to %s, got %s".formatted(what, least, most, value));
        }
        return value;
    }
}
