package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Load balancers and their pools in memory. Calls take no time; if a rule of the {@link FaultScript} matches, it
 * determines the response. Every call is logged. {@code provisioningState} means nothing here. Thread-safe.
 *
 * <pre>{@code
 * var cloud = new FakeCloud(clock);
 * cloud.putPool(PoolKey.of("lb-1", "shop-web"), AddressSet.of("10.0.0.4"));
 * cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(2));
 * }</pre>
 */
public final class FakeCloud implements BackendPools, PoolDirectory {

    /** A longer wait would overflow {@link Instant}. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(365_000);

    private final InstantSource clock;
    private final Instant start;
    private final FaultScript faults;
    private final Consumer<Call> listener;
    private final CloudMemory memory;
    private final List<Call> calls = new ArrayList<>();

    /** A cloud without load balancers and faults. */
    public FakeCloud(InstantSource clock) {
        this(clock, Inventory.EMPTY, Faults.NONE, call -> {});
    }

    /**
     * @param clock the time of calls; fault times are relative to its current time
     * @param inventory the initial load balancers
     * @param faults the faults to inject
     * @param listener called with each completed call
     */
    public FakeCloud(InstantSource clock, Inventory inventory, Faults faults, Consumer<Call> listener) {
        this.clock = clock;
        this.start = clock.instant();
        this.faults = new FaultScript(faults.rules());
        this.listener = listener;
        this.memory = new CloudMemory(inventory);
    }

    /** The state of the cloud, for other front ends than the ports. */
    public CloudMemory memory() {
        return memory;
    }

    /** The time to which fault times are relative. */
    public Instant start() {
        return start;
    }

    /** The clock given to the constructor. */
    public InstantSource clock() {
        return clock;
    }

    /** The faults to inject; rules may be added and cleared at any time. */
    public FaultScript faults() {
        return faults;
    }

    /** Creates or changes a pool like another writer: its ETag changes. */
    public void putPool(PoolKey key, AddressSet addresses) {
        synchronized (memory) {
            StoredPool base = memory.pool(key)
                    .orElseGet(() -> StoredPool.of(key, List.of(), "", JsonNodeFactory.instance.objectNode()));
            memory.write(base.holding(addresses));
        }
    }

    public void deletePool(PoolKey key) {
        memory.remove(key);
    }

    /** The addresses of a pool. */
    public Optional<AddressSet> addresses(PoolKey key) {
        return memory.pool(key).map(StoredPool::addresses);
    }

    /** The addresses of a pool in its spelling, unordered, with duplicates. */
    public List<String> spelledAddresses(PoolKey key) {
        return memory.pool(key).map(StoredPool::spelledAddresses).orElse(List.of());
    }

    /** All pools, in the inventory's order and spelling. */
    public List<PoolKey> poolKeys() {
        return memory.poolKeys();
    }

    /** The calls so far, in order. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    @Override
    public Reply<BackendPool> read(PoolKey key, CallContext context) {
        return beginRead(key).end();
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        return beginWrite(read, addresses).end();
    }

    /** A call that takes time: its caller decides when it ends. */
    public interface CallInProgress {

        /** Whether a fault rule determines the response. */
        boolean isFaulted();

        /** Whether a request was sent; otherwise it ends at once and is not among the {@link #calls}. */
        default boolean isSent() {
            return true;
        }

        /** Applies the call now, unless a rule determines the response. May be called once. */
        Reply<BackendPool> end();
    }

    private record Refused(Failure failure) implements CallInProgress {
        @Override
        public boolean isFaulted() {
            return false;
        }

        @Override
        public boolean isSent() {
            return false;
        }

        @Override
        public Reply<BackendPool> end() {
            return Reply.failed(failure);
        }
    }

    /** Starts reading a pool. The fault rules are evaluated now. */
    public CallInProgress beginRead(PoolKey key) {
        return begin("GET", key, FakeCloud::asRead);
    }

    /** Starts writing a pool. The fault rules are evaluated now; a pool that is never written is refused unsent. */
    public CallInProgress beginWrite(BackendPool read, AddressSet addresses) {
        if (read.unwritable().isPresent()) {
            return new Refused(read.unwritable().get().refusal(read.key()));
        }
        return begin("PUT", read.key(), pool -> {
            if (!Objects.equals(read.etag(), pool.etag())) {
                return Reply.failed(new Failure.PreconditionFailed(ArmError.of(412, "PreconditionFailed")));
            }
            return asRead(memory.write(pool.holding(addresses)));
        });
    }

    @Override
    public Reply<List<BackendPool>> list() {
        return Reply.ok(memory.pools().stream().map(FakeCloud::toBackendPool).toList());
    }

    private interface Answer {
        Reply<BackendPool> to(StoredPool pool);
    }

    private synchronized CallInProgress begin(String method, PoolKey asked, Answer answer) {
        PoolKey key;
        synchronized (memory) {
            key = memory.pool(asked).map(StoredPool::key).orElse(asked);
        }
        Instant began = clock.instant();
        Optional<FaultRule> rule = faults.answerTo(
                method, key.loadBalancer().toString(), key.pool().toString(), Duration.between(start, began));
        int place = calls.size();
        calls.add(new Call(began, method, key, 0));
        return new CallInProgress() {
            @Override
            public boolean isFaulted() {
                return failure(rule, began).isPresent();
            }

            @Override
            public Reply<BackendPool> end() {
                return ended(place, reply(rule, key, answer));
            }
        };
    }

    private Reply<BackendPool> reply(Optional<FaultRule> rule, PoolKey key, Answer answer) {
        Optional<Failure> failure = failure(rule, clock.instant());
        if (failure.isPresent()) {
            return Reply.failed(failure.get());
        }
        synchronized (memory) {
            return memory.pool(key)
                    .map(answer::to)
                    .orElseGet(() -> Reply.failed(new Failure.NotFound(ArmError.of(404, "NotFound"))));
        }
    }

    private synchronized Reply<BackendPool> ended(int place, Reply<BackendPool> reply) {
        Call begun = calls.get(place);
        Call call = new Call(begun.at(), begun.method(), begun.pool(), status(reply));
        calls.set(place, call);
        listener.accept(call);
        return reply;
    }

    private static Optional<Failure> failure(Optional<FaultRule> rule, Instant now) {
        return rule.flatMap(fits -> Optional.ofNullable(fits.status()).map(status -> failure(fits, status, now)));
    }

    private static Failure failure(FaultRule rule, int status, Instant now) {
        Duration retryAfter = rule.retryAfter();
        Instant until = retryAfter == null
                ? null
                : retryAfter.compareTo(LONGEST_RETRY_AFTER) > 0 ? now.plus(LONGEST_RETRY_AFTER) : now.plus(retryAfter);
        return Failure.ofStatus(status, until, ArmError.of(status, rule.code()));
    }

    private static int status(Reply<BackendPool> reply) {
        return switch (reply) {
            case Reply.Ok<BackendPool> ok -> 200;
            case Reply.Failed<BackendPool>(Failure failure) ->
                failure instanceof Failure.FromArm arm && arm.error().status() != null
                        ? Objects.requireNonNull(arm.error().status())
                        : 500;
        };
    }

    private static Reply<BackendPool> asRead(StoredPool pool) {
        return Reply.ok(toBackendPool(pool));
    }

    private static BackendPool toBackendPool(StoredPool pool) {
        return new BackendPool(
                pool.key(), pool.addresses(), pool.etag(), null, ProvisioningState.SUCCEEDED, pool.unwritable());
    }
}
