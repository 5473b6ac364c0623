package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a write removes is counted once, whatever a listing shows of it before the write has ended. */
class BrakeDuringWritesTest {

    private static final PoolKey WRITTEN = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey OTHER = PoolKey.of("lb-2", "shop-api");

    private int listed = 5;
    private final BrakeSubject brake = new BrakeSubject(
            new BrakeSettings(50, 4, Duration.ofMinutes(10), Duration.ofSeconds(30)),
            () -> Map.of(WRITTEN, seen(listed), OTHER, seen(2)),
            new FakeTime());

    private static BrakeSubject.Seen seen(int addresses) {
        return new BrakeSubject.Seen(
                Map.of("shop", AddressSet.of("10.0.0.1")),
                AddressSet.of(IntStream.rangeClosed(1, addresses)
                        .mapToObj(i -> "10.0.0." + i)
                        .toArray(String[]::new)));
    }

    private static Plan plan(PoolKey pool, AddressSet held, AddressSet planned) {
        return new Plan(pool, List.of(new ServiceName("shop", pool.pool().toString())), held, planned);
    }

    /** Of seven addresses two are being removed, and one more is to be: three of seven, not three of five. */
    @ParameterizedTest
    @ValueSource(ints = {5, 3})
    @Rule(
            id = "C101",
            says = "The brake's share is that of what the pools held before the writes in progress, whether or not a"
                    + " listing shows their results already.",
            source = "ours")
    void a_listing_that_shows_a_write_in_progress_changes_no_share(int shown) {
        AddressSet five = AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5");
        brake.writeBegins(plan(WRITTEN, five, AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3")));
        listed = shown;
        Plan removal = plan(OTHER, AddressSet.of("10.0.0.8", "10.0.0.9"), AddressSet.of("10.0.0.8"));

        brake.tickBegins(List.of(removal), List.of(removal));

        assertThat(brake.judge(removal)).isEqualTo(Verdict.GO);
    }
}
