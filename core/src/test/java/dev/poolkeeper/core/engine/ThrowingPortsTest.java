package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.API;
import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.WriteQuota;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ports that throw, although they must not. */
class ThrowingPortsTest {

    private static final EngineSettings EAGER = EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT);

    /** A port of which every method throws while it is broken; the objects that it returns throw likewise. */
    private static <T> T breakable(Class<T> type, T real, AtomicBoolean broken) {
        return type.cast(Proxy.newProxyInstance(
                ThrowingPortsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.getName().equals("equals")
                                ? (Object) (System.identityHashCode(proxy) == System.identityHashCode(arguments[0]))
                                : 1;
                    }
                    fail(broken);
                    Object result;
                    try {
                        result = method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                    return switch (result) {
                        case ResourceLock.Hold hold -> breakable(ResourceLock.Hold.class, hold, broken);
                        case Optional<?> some
                        when some.isPresent() && some.get() instanceof ResourceLock.Hold hold ->
                            Optional.of(breakable(ResourceLock.Hold.class, hold, broken));
                        case RetryBudget.InProgress open -> breakable(RetryBudget.InProgress.class, open, broken);
                        case null, default -> result;
                    };
                }));
    }

    enum Port {
        EVENTS,
        FACTS,
        TRACES,
        LOCK,
        BUDGET,
        QUOTA,
        INSTANT_TEXT,
        HAS_SYNCED,
        TICKS_BEFORE,
        TICKS_AFTER,
        TERM,
        VIEW,
        ON_WAKE
    }

    private static EngineBuilder with(Port port, EngineBuilder builder, AtomicBoolean broken) {
        return switch (port) {
            case EVENTS -> builder.events(event -> fail(broken));
            case FACTS -> builder.facts(fact -> fail(broken));
            case TRACES ->
                builder.traces(pool -> {
                    fail(broken);
                    return null;
                });
            case LOCK -> builder.resourceLock(breakable(ResourceLock.class, new FakeResourceLock(), broken));
            case BUDGET -> builder.budgetAcrossTicks(breakable(RetryBudget.class, new Plenty(), broken));
            case QUOTA ->
                builder.quota(() -> {
                    fail(broken);
                    return WriteQuota.Level.AMPLE;
                });
            case INSTANT_TEXT ->
                builder.instantText(instant -> {
                    fail(broken);
                    return "now";
                });
            case HAS_SYNCED ->
                builder.hasSynced(() -> {
                    fail(broken);
                    return true;
                });
            case TICKS_BEFORE ->
                builder.ticks(tick -> {
                    fail(broken);
                    return tick.get();
                });
            case TICKS_AFTER ->
                builder.ticks(tick -> {
                    CompletableFuture<Void> begun = tick.get();
                    fail(broken);
                    return begun;
                });
            case TERM, VIEW, ON_WAKE -> builder;
        };
    }

    private static final class Plenty implements RetryBudget {
        @Override
        public InProgress deposit() {
            return () -> {};
        }

        @Override
        public Optional<InProgress> tryWithdraw() {
            return Optional.of(() -> {});
        }

        @Override
        public OptionalLong balance() {
            return OptionalLong.empty();
        }
    }

    /** Whether ports throw, and what. */
    private static final class Broken extends AtomicBoolean {
        private final transient Thrown thrown;

        Broken(Thrown thrown) {
            this.thrown = thrown;
        }
    }

    private static void fail(AtomicBoolean broken) {
        if (broken.get()) {
            (broken instanceof Broken its ? its.thrown : Thrown.RUNTIME_EXCEPTION).raise();
        }
    }

    private static void pass(UpdateFixture f, Duration duration) {
        for (long second = 0; second < duration.toSeconds(); second++) {
            f.time.advance(Duration.ofSeconds(1));
            for (int i = 0; i < 3; i++) { // lists, then ticks
                f.engine.step();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    @Rule(
            id = "K25",
            says = "An exception from anything that an embedder provides ends nothing: it is logged, and counts as a"
                    + " failed reply. No update is lost, and the next one goes on.",
            source = "ours")
    void a_port_that_throws_ends_nothing_and_loses_nothing(Port port) {
        endsNothing(port, Thrown.RUNTIME_EXCEPTION);
        endsNothing(port, Thrown.ASSERTION_ERROR);
    }

    private static void endsNothing(Port port, Thrown thrown) {
        // given
        AtomicBoolean broken = new Broken(thrown);
        UpdateFixture f = new UpdateFixture(EAGER, builder -> with(port, builder, broken), UnaryOperator.identity());
        if (port == Port.ON_WAKE) {
            f.engine.onWake(() -> fail(broken));
        }
        if (port == Port.VIEW) {
            f.view.onAsked(() -> fail(broken));
        }
        if (port == Port.TERM) {
            f.engine.startLeading(Term.during(() -> {
                fail(broken);
                return true;
            }));
            f.engine.step();
        }
        f.fault(FaultRule.always(429).retryAfter(Duration.ofSeconds(20)).times(1));
        // when
        broken.set(true);
        f.want(WEB, POOL, "10.0.0.1");
        pass(f, Duration.ofSeconds(90));
        // then: only what cannot be done without the port waits, and the status says for what
        boolean isNeeded = port == Port.LOCK || port == Port.BUDGET || port == Port.TERM;
        assertThat(f.status(POOL).difference().isPresent()).isEqualTo(isNeeded);
        assertThat(f.held(POOL)).isEqualTo(isNeeded ? AddressSet.empty() : AddressSet.of("10.0.0.1"));
        // when
        broken.set(false);
        pass(f, Duration.ofSeconds(90));
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
        f.want(WEB, POOL, "10.0.0.2");
        pass(f, Duration.ofSeconds(30));
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(f.waiting()).isZero();
    }

    @Test
    void a_load_balancer_without_a_lock_keeps_no_other_from_being_served() {
        // given
        AtomicBoolean broken = new AtomicBoolean(true);
        PoolKey elsewhere = PoolKey.of("lb-2", "shop-api");
        UpdateFixture f = new UpdateFixture(
                EAGER,
                builder -> builder.serviceReconcileLocks(loadBalancer -> {
                    if (loadBalancer.equals(POOL.loadBalancer())) {
                        fail(broken);
                    }
                    return new ReentrantLock();
                }),
                UnaryOperator.identity());
        f.cloud.putPool(elsewhere, AddressSet.empty());
        // when
        f.want(WEB, POOL, "10.0.0.1");
        f.want(API, elsewhere, "10.0.0.2");
        pass(f, Duration.ofSeconds(90));
        // then
        assertThat(f.held(elsewhere)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(f.held(POOL)).isEqualTo(AddressSet.empty());
        // when
        broken.set(false);
        pass(f, Duration.ofSeconds(31));
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NULL")
    void a_term_that_throws_when_it_begins_is_not_begun(Thrown thrown) {
        UpdateFixture f = new UpdateFixture(EAGER);
        f.engine.stopLeading();
        f.engine.startLeading(Term.during(thrown::raise));
        assertThat(f.engine.status().leading()).isFalse();
    }

    /** Whichever of its calls throws. */
    @Test
    void a_term_that_throws_once_keeps_no_lock() {
        for (int nth = 1; nth <= 40; nth++) {
            int planted = nth;
            AtomicInteger calls = new AtomicInteger(Integer.MIN_VALUE);
            FakeResourceLock lock = new FakeResourceLock();
            UpdateFixture f = new UpdateFixture(EAGER, builder -> builder.resourceLock(lock), UnaryOperator.identity());
            f.engine.startLeading(Term.during(() -> {
                if (calls.incrementAndGet() == planted) {
                    throw new IllegalStateException("planted");
                }
                return true;
            }));
            f.engine.step();
            // when
            calls.set(0);
            f.want(WEB, POOL, "10.0.0.1");
            pass(f, Duration.ofMinutes(3));
            // then
            assertThat(f.held(POOL)).as("call %s", nth).isEqualTo(AddressSet.of("10.0.0.1"));
            assertThat(lock.isHeld()).as("call %s", nth).isFalse();
        }
    }

    @Test
    void a_hold_that_throws_counts_as_lost_and_ends_nothing() {
        // given
        AtomicBoolean broken = new AtomicBoolean();
        FakeResourceLock lock = new FakeResourceLock();
        UpdateFixture f = new UpdateFixture(
                EAGER,
                builder -> builder.resourceLock(breakable(ResourceLock.class, lock, broken)),
                UnaryOperator.identity());
        f.duringRead(() -> broken.set(true));
        // when
        f.want(WEB, POOL, "10.0.0.1");
        pass(f, Duration.ofSeconds(10));
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.empty());
        // when
        f.duringRead(() -> {});
        broken.set(false);
        lock.takeAway(); // it could not be released, and expires
        lock.release();
        pass(f, Duration.ofSeconds(30));
        // then
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
    }

    @Test
    void a_deposit_that_throws_when_it_is_closed_ends_nothing() {
        AtomicBoolean broken = new AtomicBoolean();
        UpdateFixture f =
                new UpdateFixture(EAGER, builder -> with(Port.BUDGET, builder, broken), UnaryOperator.identity());
        f.duringRead(() -> broken.set(true));

        f.want(WEB, POOL, "10.0.0.1");
        pass(f, Duration.ofSeconds(10));

        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(f.waiting()).isZero();
    }

    @Test
    void what_throws_in_a_dry_run_ends_nothing() {
        List<Plan> plans = new ArrayList<>();
        UpdateFixture f = new UpdateFixture(
                EAGER,
                builder -> builder.dryRun(plan -> {
                    plans.add(plan);
                    throw new IllegalStateException("planted");
                }),
                UnaryOperator.identity());

        f.want(WEB, POOL, "10.0.0.1");
        pass(f, Duration.ofSeconds(10));
        f.want(WEB, POOL, "10.0.0.2");
        pass(f, Duration.ofSeconds(10));

        assertThat(plans)
                .extracting(Plan::planned)
                .containsExactly(AddressSet.of("10.0.0.1"), AddressSet.of("10.0.0.2"));
    }

    enum Thrown {
        RUNTIME_EXCEPTION {
            @Override
            <T> T raise() {
                throw new IllegalStateException("planted");
            }
        },
        ASSERTION_ERROR {
            @Override
            <T> T raise() {
                throw new AssertionError("planted");
            }
        },
        STACK_OVERFLOW {
            @Override
            <T> T raise() {
                throw new StackOverflowError("planted");
            }
        },
        LINKAGE_ERROR {
            @Override
            <T> T raise() {
                throw new NoClassDefFoundError("planted");
            }
        },
        NULL {
            @Override
            <T> T raise() {
                return null;
            }
        };

        abstract <T> T raise();
    }

    private static BackendPools throwing(BackendPools real, Thrown thrown, boolean write, AtomicBoolean broken) {
        return new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                return !write && broken.get() ? thrown.raise() : real.read(pool, context);
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                return write && broken.get() ? thrown.raise() : real.write(read, addresses, context);
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_read_or_write_that_throws_is_a_failed_reply(Thrown thrown) {
        for (boolean write : new boolean[] {false, true}) {
            AtomicBoolean broken = new AtomicBoolean(true);
            UpdateFixture f =
                    new UpdateFixture(EAGER, UnaryOperator.identity(), real -> throwing(real, thrown, write, broken));
            f.want(WEB, POOL, "10.0.0.1");
            pass(f, Duration.ofSeconds(10));
            assertThat(f.reasons()).as("%s, write: %s", thrown, write).containsExactly("shop/web FAILED");

            broken.set(false);
            f.want(WEB, POOL, "10.0.0.2");
            pass(f, Duration.ofSeconds(40));
            assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.2"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_directory_that_throws_is_a_failed_listing_and_forgets_no_edited_service(Thrown thrown) {
        // given
        EngineFixture the = new EngineFixture();
        the.pool("web", 9);
        the.service("web", 1);
        the.lead();
        the.tick();
        the.tick();
        the.pool("web", 9); // by hand
        // when: edited, and the listing that this asks for throws
        the.onList = () -> {
            the.onList = () -> {};
            if (thrown == Thrown.NULL) {
                throw new NullPointerException();
            }
            thrown.raise();
        };
        the.put("web", false, 7);
        the.engine.listIfDue();
        assertThat(the.engine.status().listing().failure()).isPresent();
        the.run(Duration.ofSeconds(31));
        // then: the next listing compares it
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(1));
    }

    @Test
    void a_fatal_error_of_the_jvm_is_not_hidden_and_loses_nothing() {
        AtomicBoolean broken = new AtomicBoolean(true);
        UpdateFixture f = new UpdateFixture(EAGER, UnaryOperator.identity(), real -> new BackendPools() {
            @Override
            public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                if (broken.get()) {
                    throw new InternalError("planted");
                }
                return real.read(pool, context);
            }

            @Override
            public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                return real.write(read, addresses, context);
            }
        });
        f.want(WEB, POOL, "10.0.0.1");
        f.time.advance(Duration.ofSeconds(1));
        assertThat(Ticks.of(f.engine)).isCompletedExceptionally();

        broken.set(false);
        pass(f, Duration.ofSeconds(31));
        assertThat(f.held(POOL)).isEqualTo(AddressSet.of("10.0.0.1"));
    }
}
