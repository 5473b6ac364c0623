package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WatchedPoolsTest {

    private static final Duration DEADLINE = Duration.ofMinutes(5);
    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final BackendPool READ = new BackendPool(POOL, AddressSet.empty(), null, null);

    private final FakeTime time = new FakeTime();
    private final Watchdog watchdog = new Watchdog(time::nanoTime);

    /** The calls that are watched. */
    enum Call {
        READ,
        WRITE,
        LISTING
    }

    /** Pools and a directory of which every call throws. */
    private static final class Broken implements BackendPools {
        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            throw new IllegalStateException("a bug");
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            throw new IllegalStateException("a bug");
        }
    }

    private ThrowingCallable broken(Call call) {
        WatchedPools pools = new WatchedPools(new Broken(), watchdog, DEADLINE);
        PoolDirectory directory = WatchedPools.directory(
                () -> {
                    throw new IllegalStateException("a bug");
                },
                watchdog,
                DEADLINE);
        return switch (call) {
            case READ -> () -> pools.read(POOL, CallContext.unbound());
            case WRITE -> () -> pools.write(READ, AddressSet.empty(), CallContext.unbound());
            case LISTING -> directory::list;
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_call_that_throws_is_not_stuck(Call call) {
        assertThatThrownBy(broken(call)).hasMessage("a bug");

        time.advance(DEADLINE.multipliedBy(2));
        assertThat(watchdog.isSound()).isTrue();
        time.advance(Duration.ofMinutes(1)); // an overrun counts once a second look confirms it
        assertThat(watchdog.isSound()).isTrue();
    }

    /** Pools and a directory of which every call takes this long. */
    private final class Slow implements BackendPools {

        private final Duration lasts;
        private boolean isSound = true;

        Slow(Duration lasts) {
            this.lasts = lasts;
        }

        private void pass() {
            time.advance(lasts);
            boolean unused = watchdog.isSound(); // an overrun counts once a second look confirms it
            time.advance(Duration.ofSeconds(10));
            isSound = watchdog.isSound();
        }

        @Override
        public Reply<BackendPool> read(PoolKey pool, CallContext context) {
            pass();
            throw new IllegalStateException("late");
        }

        @Override
        public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
            pass();
            throw new IllegalStateException("late");
        }
    }

    private boolean isSoundDuring(Call call, Duration lasts) {
        Slow slow = new Slow(lasts);
        WatchedPools pools = new WatchedPools(slow, watchdog, DEADLINE);
        PoolDirectory directory = WatchedPools.directory(
                () -> {
                    slow.pass();
                    throw new IllegalStateException("late");
                },
                watchdog,
                DEADLINE);
        ThrowingCallable calling = switch (call) {
            case READ -> () -> pools.read(POOL, CallContext.unbound());
            case WRITE -> () -> pools.write(READ, AddressSet.empty(), CallContext.unbound());
            case LISTING -> directory::list;
        };
        assertThatThrownBy(calling).hasMessage("late");
        return slow.isSound;
    }

    @ParameterizedTest
    @EnumSource
    void a_call_is_stuck_a_minute_after_its_deadline(Call call) {
        assertThat(isSoundDuring(call, DEADLINE.plusMinutes(1))).isTrue();
        assertThat(isSoundDuring(call, DEADLINE.plusMinutes(1).plusSeconds(1))).isFalse();
    }
}
