package dev.poolkeeper.app.admin;

import dev.poolkeeper.app.admin.status.DaemonStatus;
import dev.poolkeeper.app.admin.status.PoolStatus;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Statuses for tests. */
final class Statuses {

    static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    /** What somebody might name something to break a page. */
    static final String HOSTILE = "\"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp;";

    private Statuses() {}

    /** A daemon in trouble everywhere, with these pools; every text that can be hostile is. */
    static DaemonStatus with(List<PoolStatus> pools) {
        return new DaemonStatus(
                new DaemonStatus.Program("1.2.3", HOSTILE, NOW, NOW.minusSeconds(3_600), true),
                new DaemonStatus.Leadership(true, false, HOSTILE, NOW.minusSeconds(60)),
                new DaemonStatus.Lock(false, HOSTILE, NOW, NOW, NOW, HOSTILE),
                List.of(
                        new DaemonStatus.Gate("reads", null),
                        new DaemonStatus.Gate("writes", NOW.plusSeconds(17)),
                        new DaemonStatus.Gate(HOSTILE, NOW.plusSeconds(3))),
                new DaemonStatus.Budget(HOSTILE, 0L, 4),
                List.of(new DaemonStatus.Watch("Service", true, false, 42, NOW.minusSeconds(90), 1, 2, HOSTILE)),
                new DaemonStatus.Directory(
                        NOW.minusSeconds(30),
                        NOW.plusSeconds(270),
                        null,
                        null,
                        HOSTILE,
                        List.of(HOSTILE),
                        List.of(new ServiceName("shop", "poolless"))),
                new DaemonStatus.Ticks(NOW.minusSeconds(5), 7, 1, NOW.plusSeconds(20)),
                new DaemonStatus.Writing(
                        true,
                        true,
                        new DaemonStatus.Brake("brake-1", 60, 100, NOW.minusSeconds(10), NOW.plusSeconds(590))),
                List.of(new DaemonStatus.Policy(HOSTILE, false, HOSTILE)),
                List.of(new DaemonStatus.MissingPermission("Azure", HOSTILE, HOSTILE)),
                List.of(new DaemonStatus.IsolatedLoadBalancer(HOSTILE, HOSTILE, NOW.plusSeconds(300))),
                pools);
    }

    /** A pool that waits, of a load balancer with a hostile name. */
    static PoolStatus parked() {
        return new PoolStatus(
                new PoolKey(ArmName.of(HOSTILE), ArmName.of(HOSTILE)),
                List.of(new ServiceName("shop", "web")),
                AddressSet.of("10.0.0.4", "10.0.0.5"),
                new PoolStatus.Reading(AddressSet.of("10.0.0.5", "10.0.0.9"), NOW.minusSeconds(40)),
                2,
                new PoolStatus.Parked(NOW.plusSeconds(20), HOSTILE),
                null,
                new PoolStatus.Outcome(NOW.minusSeconds(40), "retried", true, "HTTP 429 " + HOSTILE));
    }

    /** A pool that holds what is wanted. */
    static PoolStatus inStep(int number) {
        AddressSet addresses = AddressSet.of("10.0.0.4");
        return new PoolStatus(
                PoolKey.of("lb-1", "team-" + number),
                List.of(new ServiceName("team-" + number, "web")),
                addresses,
                new PoolStatus.Reading(addresses, NOW),
                0,
                null,
                null,
                new PoolStatus.Outcome(NOW, "updated", false, null));
    }

    static List<PoolStatus> inStep(int from, int count) {
        return IntStream.range(from, from + count).mapToObj(Statuses::inStep).toList();
    }
}
