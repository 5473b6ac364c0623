package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls what an embedder provides so that an exception from it ends nothing: it is logged, and counts as the answer
 * that is safest. Ports must not throw; this is for those that do.
 */
final class SafePorts {

    private static final Logger log = LoggerFactory.getLogger(SafePorts.class);

    private SafePorts() {}

    /** A call to Azure: an exception, an error other than of the JVM itself, or null is a failed reply. */
    static <T> Reply<T> reply(Supplier<Reply<T>> call) {
        try {
            return requireNonNull(call.get(), "the adapter returned null");
        } catch (Throwable e) {
            if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
                throw fatal;
            }
            log.atError().setCause(e).log("A call threw an exception instead of returning a failure");
            return Reply.failed(Failure.Other.terminal("unexpected " + e));
        }
    }

    private static <T> T or(T otherwise, String what, Supplier<T> call) {
        try {
            return requireNonNull(call.get(), what + " returned null");
        } catch (RuntimeException e) {
            log.atError().setCause(e).addKeyValue("port", what).log("A port threw an exception");
            return otherwise;
        }
    }

    private static void run(String what, Runnable call) {
        or(true, what, () -> {
            call.run();
            return true;
        });
    }

    static Runnable task(String what, Runnable task) {
        requireNonNull(task, what);
        return () -> run(what, task);
    }

    static <T> Consumer<T> consumer(String what, Consumer<T> consumer) {
        return value -> run(what, () -> consumer.accept(value));
    }

    static BooleanSupplier synced(BooleanSupplier hasSynced) {
        return () -> or(false, "hasSynced", hasSynced::getAsBoolean);
    }

    static Function<Instant, String> instantText(Function<Instant, String> text) {
        return instant -> or(DateTimeFormatter.ISO_INSTANT.format(instant), "instantText", () -> text.apply(instant));
    }

    static ServiceEvents events(ServiceEvents events) {
        return event -> run("ServiceEvents", () -> events.emit(event));
    }

    static WriteQuota quota(WriteQuota quota) {
        return () -> or(WriteQuota.Level.AMPLE, "WriteQuota", quota::level);
    }

    /** A lock that throws is not available, a hold that throws is not held. */
    static ResourceLock lock(ResourceLock lock) {
        if (lock.equals(ResourceLock.NONE)) {
            return lock;
        }
        return new ResourceLock() {
            @Override
            public Optional<Hold> tryAcquire() {
                return or(Optional.<Hold>empty(), "ResourceLock", lock::tryAcquire)
                        .map(SafePorts::hold);
            }

            @Override
            public Optional<Holder> holder() {
                return or(Optional.empty(), "ResourceLock", lock::holder);
            }
        };
    }

    private static ResourceLock.Hold hold(ResourceLock.Hold hold) {
        return new ResourceLock.Hold() {
            @Override
            public boolean isHeld() {
                return or(false, "ResourceLock.Hold", hold::isHeld);
            }

            @Override
            public void close() {
                run("ResourceLock.Hold", hold::close);
            }
        };
    }

    /** A budget that throws refuses. */
    static RetryBudget budget(RetryBudget budget) {
        RetryBudget.InProgress nothing = () -> {};
        return new RetryBudget() {
            @Override
            public InProgress deposit() {
                InProgress deposited = or(nothing, "RetryBudget", budget::deposit);
                return () -> run("RetryBudget", deposited::close);
            }

            @Override
            public Optional<InProgress> tryWithdraw() {
                return or(Optional.<InProgress>empty(), "RetryBudget", budget::tryWithdraw)
                        .map(withdrawn -> () -> run("RetryBudget", withdrawn::close));
            }

            @Override
            public OptionalLong balance() {
                return or(OptionalLong.empty(), "RetryBudget", budget::balance);
            }
        };
    }

    static Function<PoolKey, @Nullable Object> traces(Function<PoolKey, @Nullable Object> traces) {
        return pool -> or(Optional.empty(), "traces", () -> Optional.ofNullable(traces.apply(pool)))
                .orElse(null);
    }

    /** A plan that would be written, in a dry run. */
    static Optional<Consumer<Plan>> dryRun(Optional<Consumer<Plan>> dryRun) {
        return dryRun.map(consumer -> consumer("dryRun", consumer));
    }
}
