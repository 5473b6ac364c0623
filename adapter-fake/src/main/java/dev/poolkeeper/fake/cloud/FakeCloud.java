package dev.poolkeeper.fake.cloud;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Load balancers and their pools in memory. Calls take no time; a {@link FaultScript} answers in the cloud's place
 * where one of its rules fits. Every call is logged. Thread-safe.
 *
 * <pre>{@code
 * var cloud = new FakeCloud(clock);
 * cloud.putPool(PoolKey.of("lb-1", "shop-web"), AddressSet.of("10.0.0.4"));
 * cloud.faults().add(FaultRule.always(409).forMethod("PUT").times(2));
 * }</pre>
 */
public final class FakeCloud implements BackendPools, PoolDirectory {

    /** Beyond this an instant could not be told from never. */
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofDays(365_000);

    private final InstantSource clock;
    private final Instant start;
    private final FaultScript faults;
    private final Consumer<Call> listener;
    private final Map<PoolKey, StoredPool> pools = new LinkedHashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private long writes;

    /** Without load balancers and faults. */
    public FakeCloud(InstantSource clock) {
        this(clock, Inventory.EMPTY, Faults.NONE, call -> {});
    }

    /**
     * @param clock tells when calls happen; faults count from what it shows now
     * @param inventory what there is at first
     * @param faults what is answered instead of doing calls
     * @param listener hears of each call as it is answered
     */
    public FakeCloud(InstantSource clock, Inventory inventory, Faults faults, Consumer<Call> listener) {
        this.clock = clock;
        this.start = clock.instant();
        this.faults = new FaultScript(faults.rules());
        this.listener = listener;
        inventory
                .loadBalancers()
                .forEach(loadBalancer -> loadBalancer.pools().forEach(pool -> pools.put(pool.key(), pool)));
    }

    /** What is answered instead of doing calls; rules may be added and cleared at any time. */
    public FaultScript faults() {
        return faults;
    }

    /** Makes a pool, or changes it behind everybody's back: its ETag is another one afterwards. */
    public synchronized void putPool(PoolKey key, AddressSet addresses) {
        StoredPool pool = pools.get(key);
        StoredPool base =
                pool == null ? StoredPool.of(key, List.of(), "", JsonNodeFactory.instance.objectNode()) : pool;
        pools.put(base.key(), base.holding(addresses, nextEtag()));
    }

    public synchronized void deletePool(PoolKey key) {
        pools.remove(key);
    }

    /** What a pool holds. */
    public synchronized Optional<AddressSet> addresses(PoolKey key) {
        return Optional.ofNullable(pools.get(key)).map(StoredPool::addresses);
    }

    /** What a pool holds as it is spelled there, in no order; an address that it holds twice comes twice. */
    public synchronized List<String> spelledAddresses(PoolKey key) {
        StoredPool pool = pools.get(key);
        return pool == null ? List.of() : pool.spelledAddresses();
    }

    /** The pools there are, in the inventory's order and spelling. */
    public synchronized List<PoolKey> poolKeys() {
        return List.copyOf(pools.keySet());
    }

    /** The calls so far, in order. */
    public synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    @Override
    public synchronized Reply<BackendPool> read(PoolKey key) {
        return answer("GET", key, FakeCloud::asRead);
    }

    @Override
    public synchronized Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
        return answer("PUT", read.key(), pool -> {
            if (!Objects.equals(read.etag(), pool.etag())) {
                return Reply.failed(new Failure.PreconditionFailed(ArmError.of(412, "PreconditionFailed")));
            }
            StoredPool written = pool.holding(addresses, nextEtag());
            pools.put(written.key(), written);
            return asRead(written);
        });
    }

    @Override
    public synchronized Reply<List<BackendPool>> list() {
        return Reply.ok(pools.values().stream().map(FakeCloud::toBackendPool).toList());
    }

    private interface Answer {
        Reply<BackendPool> to(StoredPool pool);
    }

    private Reply<BackendPool> answer(String method, PoolKey asked, Answer answer) {
        StoredPool pool = pools.get(asked);
        PoolKey key = pool == null ? asked : pool.key();
        Instant now = clock.instant();
        Reply<BackendPool> reply = faults.answerTo(
                        method, key.loadBalancer().toString(), key.pool().toString(), Duration.between(start, now))
                .map(rule -> Reply.<BackendPool>failed(failure(rule, now)))
                .orElseGet(() -> pool == null
                        ? Reply.failed(new Failure.NotFound(ArmError.of(404, "NotFound")))
                        : answer.to(pool));
        Call call = new Call(now, method, key, status(reply));
        calls.add(call);
        listener.accept(call);
        return reply;
    }

    private static Failure failure(FaultRule rule, Instant now) {
        Duration retryAfter = rule.retryAfter();
        Instant until = retryAfter == null
                ? null
                : retryAfter.compareTo(LONGEST_RETRY_AFTER) > 0 ? now.plus(LONGEST_RETRY_AFTER) : now.plus(retryAfter);
        return Failure.ofStatus(rule.status(), until, ArmError.of(rule.status(), rule.code()));
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
        return new BackendPool(pool.key(), pool.addresses(), pool.etag(), null);
    }

    private String nextEtag() {
        return "W/\"%08x-0000-4000-8000-000000000000\"".formatted(++writes);
    }
}
