package dev.poolkeeper.simulation.arm;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.simulation.time.SimulatedProcess;
import dev.poolkeeper.simulation.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process's way to ARM: requests take time and may meet faults, a gate is shut after a 429, what may be retried
 * inside the call is, and accepted writes are followed to their end. The place of {@code adapter-azure}, whose rules it
 * keeps; the adapter itself is held to them by its own tests.
 */
public final class ArmLink implements BackendPools, PoolDirectory {

    private static final long LONGEST_WRITE = 120 * Timeline.SECONDS;
    private static final Duration GIVEN_UP = Duration.ofSeconds(60);

    /** What a request is for. */
    public enum Purpose {
        READ,
        WRITE,
        POLL,
        LIST
    }

    /** Hears of every request of this process. */
    public interface Wire {

        /** @param attempt 0 for the first one of an exchange */
        void sent(Purpose purpose, @Nullable PoolKey pool, int attempt);

        void answered(Purpose purpose, @Nullable PoolKey pool, int status);

        /** The gate of reads or of writes is shut until then, by the process's own clock. */
        void shut(boolean writes, Instant until);

        /** A conditional write is on its way. */
        void put(PoolImage read, PoolImage wanted, @Nullable String ifMatch);

        /** ARM's listing arrived. */
        void listed(List<PoolKey> pools);

        /** A write that ARM may have accepted is over for us, one way or the other. */
        void writeOver(PoolKey pool);
    }

    private final SimulatedArm arm;
    private final SimulatedProcess process;
    private final String writer;
    private final Timeline timeline;
    private final InstantSource clock;
    private final CallRetries retries;
    private final Function<IpAddress, String> names;
    private final Wire wire;
    private final ArmFlaws flaws;
    private final long[] writeDelay = {0};
    private Instant readsShut = Instant.MIN;
    private Instant writesShut = Instant.MIN;
    private boolean cut;

    /** @param names what a new entry is named */
    public ArmLink(
            SimulatedArm arm,
            SimulatedProcess process,
            String writer,
            Timeline timeline,
            InstantSource clock,
            CallRetries retries,
            Function<IpAddress, String> names,
            Wire wire,
            ArmFlaws flaws) {
        this.arm = arm;
        this.process = process;
        this.writer = writer;
        this.timeline = timeline;
        this.clock = clock;
        this.retries = retries;
        this.names = names;
        this.wire = wire;
        this.flaws = flaws;
    }

    /** Nothing gets through to ARM. */
    public void cut(boolean now) {
        cut = now;
    }

    /** The next write is held up between the last check and its sending. */
    public void holdNextWrite(long nanos) {
        writeDelay[0] = nanos;
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        Outcome outcome = exchange(Purpose.READ, pool, context, () -> arm.get(pool));
        PoolImage image = outcome.answer == null ? null : outcome.answer.pool();
        return image == null ? Reply.failed(outcome.failure()) : Reply.ok(model(image));
    }

    private static BackendPool model(PoolImage image) {
        return new BackendPool(image.key(), image.addresses(), image.etag(), image);
    }

    @Override
    public Reply<List<BackendPool>> list() {
        Outcome outcome = exchange(Purpose.LIST, null, CallContext.unbound(), arm::list);
        List<PoolImage> pools = outcome.answer == null ? null : outcome.answer.listing();
        if (pools == null) {
            return Reply.failed(outcome.failure());
        }
        wire.listed(pools.stream().map(PoolImage::key).toList());
        return Reply.ok(pools.stream().map(ArmLink::model).toList());
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        PoolImage source = (PoolImage) java.util.Objects.requireNonNull(read.source());
        TreeMap<IpAddress, String> entries = new TreeMap<>();
        for (IpAddress address : addresses) {
            String before = source.entries().get(address);
            entries.put(address, before != null && !flaws.forgetsEntries() ? before : names.apply(address));
        }
        PoolImage wanted = new PoolImage(source.key(), entries, source.otherFields(), source.etag());
        String ifMatch = flaws.writesUnconditionally() ? null : read.etag();
        wire.put(source, wanted, ifMatch);
        try {
            long delay = writeDelay[0];
            writeDelay[0] = 0;
            if (delay > 0 && !process.sleep(delay)) {
                return interrupted();
            }
            Outcome outcome = exchange(Purpose.WRITE, source.key(), context, () -> arm.put(wanted, ifMatch, writer));
            Answer answer = outcome.answer;
            if (answer == null) {
                return Reply.failed(outcome.failure());
            }
            if (answer.pool() != null) {
                return Reply.ok(model(answer.pool()));
            }
            return answer.operation() == null
                    ? askThePool(source.key(), wanted, context)
                    : follow(answer.operation(), context);
        } finally {
            wire.writeOver(source.key());
        }
    }

    private static <T> Reply<T> interrupted() {
        return Reply.failed(new Failure.Cancelled("interrupted"));
    }

    private Reply<BackendPool> follow(ArmOperation operation, CallContext context) {
        long deadline = timeline.now() + LONGEST_WRITE;
        long wait = 500 * Timeline.MILLIS;
        while (timeline.now() + wait < deadline) {
            if (!process.sleep(wait)) {
                return interrupted();
            }
            wait = Math.min(2 * wait, 10 * Timeline.SECONDS);
            Outcome outcome = exchange(Purpose.POLL, operation.wanted.key(), context, () -> arm.poll(operation));
            if (outcome.answer != null) {
                switch (operation.state()) {
                    case SUCCEEDED -> {
                        PoolImage result = java.util.Objects.requireNonNull(operation.result());
                        return Reply.ok(model(result));
                    }
                    case FAILED -> {
                        return Reply.failed(Failure.Other.terminal("the operation failed"));
                    }
                    case CANCELED -> {
                        return Reply.failed(new Failure.Conflict(ArmError.of(200, "Canceled")));
                    }
                    case IN_PROGRESS, LOST -> {}
                }
            } else if (!(outcome.failure() instanceof Failure.Throttled)) {
                return Reply.failed(Failure.Other.retriable("the write was accepted, what became of it is not known: "
                        + outcome.failure().describe()));
            }
        }
        return Reply.failed(new Failure.Cancelled("the write was accepted and still runs"));
    }

    /** Where ARM gave no address to poll: reads until the pool looks as it should. */
    private Reply<BackendPool> askThePool(PoolKey key, PoolImage wanted, CallContext context) {
        for (int i = 0; i < 5; i++) {
            if (!process.sleep(2 * Timeline.SECONDS)) {
                return interrupted();
            }
            Outcome outcome = exchange(Purpose.POLL, key, context, () -> arm.get(key));
            if (outcome.answer != null && outcome.answer.pool() != null) {
                PoolImage seen = outcome.answer.pool();
                if (seen.entries().equals(wanted.entries())) {
                    return Reply.ok(model(seen));
                }
            }
        }
        return Reply.failed(Failure.Other.retriable("the write was accepted, what became of it is not known"));
    }

    private static final class Outcome {
        final @Nullable Answer answer;
        private final @Nullable Failure failure;

        Outcome(@Nullable Answer answer, @Nullable Failure failure) {
            this.answer = answer;
            this.failure = failure;
        }

        Failure failure() {
            return failure == null ? Failure.Other.terminal("an answer that makes no sense here") : failure;
        }
    }

    private Outcome exchange(Purpose purpose, @Nullable PoolKey pool, CallContext context, Supplier<Answer> request) {
        CallRetries.Exchange exchange = retries.begin(context);
        try {
            for (int attempt = 0; ; attempt++) {
                Instant shut = purpose == Purpose.WRITE ? writesShut : readsShut;
                if (clock.instant().isBefore(shut) && !flaws.ignoresGate()) {
                    return new Outcome(null, Failure.Throttled.atGate(shut));
                }
                wire.sent(purpose, pool, attempt);
                Answer answer = send(request);
                if (answer == null) {
                    return new Outcome(null, new Failure.Cancelled("interrupted"));
                }
                wire.answered(purpose, pool, answer.status());
                if (answer.status() >= 200 && answer.status() < 300) {
                    return new Outcome(answer, null);
                }
                CallRetries.Decision decision =
                        answer.status() == 0 ? exchange.afterConnectionError() : exchange.afterStatus(answer.status());
                switch (decision) {
                    case CallRetries.Decision.Retry(Duration delay) -> {
                        if (!process.sleep(delay.toNanos())) {
                            return new Outcome(null, new Failure.Cancelled("interrupted"));
                        }
                    }
                    case CallRetries.Decision.GiveUp(CallRetries.Reason reason) -> {
                        return new Outcome(null, failure(purpose, answer, reason));
                    }
                }
            }
        } finally {
            exchange.end();
        }
    }

    /** Null if it was interrupted. */
    private @Nullable Answer send(Supplier<Answer> request) {
        if (!process.sleep(arm.latency())) {
            return null;
        }
        Answer answer = cut ? Answer.NONE : request.get();
        if (answer.status() == 0) {
            return process.sleep(GIVEN_UP.toNanos() / 10) ? Answer.NONE : null;
        }
        return process.sleep(arm.latency()) ? cut ? Answer.NONE : answer : null;
    }

    private Failure failure(Purpose purpose, Answer answer, CallRetries.Reason reason) {
        if (answer.status() == 0) {
            return Failure.Other.unanswered("no answer from Azure", reason);
        }
        ArmError error = ArmError.of(answer.status(), answer.code());
        if (answer.status() != 429) {
            return Failure.ofStatus(answer.status(), null, error, reason);
        }
        boolean writes = purpose == Purpose.WRITE;
        Instant until = RetryAfterText.parse(answer.retryAfter(), clock.instant());
        if (until != null) {
            if (writes && until.isAfter(writesShut)) {
                writesShut = until;
            } else if (!writes && until.isAfter(readsShut)) {
                readsShut = until;
            }
            wire.shut(writes, until);
        }
        return Failure.Throttled.byArm(flaws.ignoresGate() ? null : until, error);
    }
}
