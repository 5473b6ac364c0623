package dev.poolkeeper.app.cluster;

import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmOperation;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Azure's side: pools in an ARM emulator whose writes take time, as traffic sees them. */
final class LoadBalancers implements AutoCloseable {

    static final List<String> NAMES = List.of("kubernetes", "kubernetes-1", "kubernetes-2", "kubernetes-3");

    private final ArmEmulator arm;
    private final Map<PoolKey, AddressSet> inForce = new HashMap<>();

    /** @param operation the duration of a write */
    LoadBalancers(Duration operation) throws IOException {
        arm = ArmEmulator.start(Inventory.EMPTY, Faults.NONE, ArmSettings.DEFAULT.withOperationDuration(operation));
    }

    ArmEmulator arm() {
        return arm;
    }

    PoolKey addPool(String loadBalancer, String namespace, String service) {
        PoolKey pool = PoolKey.of(loadBalancer, namespace + "-" + service);
        arm.cloud().putPool(pool, AddressSet.empty());
        return pool;
    }

    /** The pool's addresses, without those of a write in progress. */
    AddressSet inForce(PoolKey pool) {
        boolean isBeingWritten = latest(pool)
                .filter(operation -> operation.status().equals("InProgress"))
                .isPresent();
        if (!isBeingWritten) {
            inForce.put(pool, arm.cloud().addresses(pool).orElseThrow());
        }
        return inForce.getOrDefault(pool, AddressSet.empty());
    }

    /** When the last write to the pool ended. */
    Instant lastWritten(PoolKey pool) {
        return latest(pool).orElseThrow().endsAt();
    }

    private Optional<ArmOperation> latest(PoolKey pool) {
        return arm.operations().stream()
                .filter(operation ->
                        operation.pool() != null && ArmName.of(operation.pool()).equals(pool.pool()))
                .max(Comparator.comparing(ArmOperation::startedAt));
    }

    @Override
    public void close() {
        arm.close();
    }
}
