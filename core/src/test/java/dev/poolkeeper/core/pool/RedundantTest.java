package dev.poolkeeper.core.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RedundantTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "prod-shop-web");
    private static final List<ServiceName> SERVICES =
            List.of(new ServiceName("prod", "shop-web"), new ServiceName("prod-shop", "web"));

    private final Random random = new Random(7);

    private AddressSet some() {
        return AddressSet.of(IntStream.rangeClosed(1, 5)
                .filter(i -> random.nextInt(5) < 2)
                .mapToObj(i -> "10.0.0." + i)
                .toArray(String[]::new));
    }

    private PendingOperation operation(long sequence) {
        ServiceName service = SERVICES.get(random.nextInt(2));
        Operation operation = switch (random.nextInt(5)) {
            case 0 -> new Operation.Replace(service, POOL, some());
            case 1, 2 -> new Operation.Add(service, POOL, some());
            default -> new Operation.Remove(service, POOL, some());
        };
        PendingOperation fresh = PendingOperation.fresh(operation, sequence, Instant.EPOCH);
        return random.nextInt(6) == 0 ? fresh.retried(null) : fresh;
    }

    private Wants wants() {
        Wants wants = Wants.NONE;
        for (ServiceName service : SERVICES) {
            wants = wants.with(new Want(service, POOL, some(), true, random.nextInt(4) > 0, true, false));
        }
        return wants;
    }

    private static List<PendingOperation> of(ServiceName service, List<PendingOperation> operations) {
        return operations.stream()
                .filter(pending -> pending.operation().service().equals(service))
                .toList();
    }

    @Test
    void plans_stay_the_same_also_those_without_one_of_the_services() {
        for (int run = 0; run < 2_000; run++) {
            List<PendingOperation> all = new ArrayList<>();
            IntStream.range(0, 2 + random.nextInt(20)).forEach(i -> all.add(operation(i)));
            List<PendingOperation> fewer = Redundant.without(all);
            AddressSet held = some();
            Wants wants = wants();
            assertThat(UpdateModel.DIFF.plan(held, fewer, wants))
                    .as("%s of %s, %s wanted", fewer, all, wants)
                    .isEqualTo(UpdateModel.DIFF.plan(held, all, wants));
            for (ServiceName service : SERVICES) {
                if (!of(service, all).isEmpty()) {
                    assertThat(UpdateModel.DIFF.plan(held, of(service, fewer), wants))
                            .isEqualTo(UpdateModel.DIFF.plan(held, of(service, all), wants));
                }
            }
            assertThat(new OperationGroup(POOL, fewer))
                    .returns(new OperationGroup(POOL, all).sequence(), OperationGroup::sequence)
                    .returns(new OperationGroup(POOL, all).services(), OperationGroup::services);
        }
    }

    @Test
    void the_number_depends_on_the_addresses() {
        List<PendingOperation> all = new ArrayList<>();
        IntStream.range(0, 1_000).forEach(i -> all.add(operation(i)));
        assertThat(Redundant.without(all)).hasSizeLessThan(2 * 2 * (1 + 1 + 2 * 5) + 1);
    }
}
