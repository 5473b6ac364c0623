package dev.poolkeeper.emulators.arm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.ports.PoolKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ConcurrencyTest {

    private static final int WRITERS = 8;
    private static final int WRITES = 5;

    @RegisterExtension
    final ArmEmulatorExtension extension = ArmEmulatorExtension.with(Inventories.two());

    @Test
    void writers_that_send_if_match_lose_no_updates() throws Exception {
        ArmEmulator arm = extension.emulator();
        ArmClient client = new ArmClient(arm);
        List<Future<Integer>> writers = new ArrayList<>();
        int refused = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int writer = 0; writer < WRITERS; writer++) {
                int own = writer;
                writers.add(threads.submit(() -> write(client, own)));
            }
            for (Future<Integer> writer : writers) {
                refused += writer.get();
            }
        }

        assertThat(arm.cloud().spelledAddresses(PoolKey.of("kubernetes", "shop-api")))
                .hasSize(WRITERS * WRITES)
                .doesNotHaveDuplicates();
        assertThat(arm.requests())
                .filteredOn(request -> request.status() == 201)
                .hasSize(WRITERS * WRITES);
        assertThat(arm.requests())
                .filteredOn(request -> request.status() == 412)
                .hasSize(refused);
        assertThat(refused).isPositive(); // otherwise they never collided
    }

    /** Adds addresses one by one; returns how often it was refused. */
    private static int write(ArmClient client, int writer) throws Exception {
        String pool = client.pool("kubernetes", "shop-api");
        int refused = 0;
        for (int i = 0; i < WRITES; ) {
            Answer read = client.get(pool);
            JsonNode addresses = read.json().at("/properties/loadBalancerBackendAddresses");
            ((ArrayNode) addresses)
                    .addObject()
                    .put("name", "n-" + writer + "-" + i)
                    .putObject("properties")
                    .put("ipAddress", "10.0." + writer + "." + i);
            Answer written = client.put(pool, read.json().toString(), "If-Match", read.etag());
            if (written.status() == 412) {
                refused++;
            } else {
                i++;
            }
        }
        return refused;
    }
}
