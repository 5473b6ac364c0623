package dev.poolkeeper.fake.load;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.ports.EndpointSliceState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {

    private static final LoadShape SHAPE = LoadShape.DEFAULTS;

    private final List<LoadEvent> events = new ArrayList<>();
    private final LoadGenerator load = new LoadGenerator(SHAPE, events::add);

    private List<EndpointSliceState> slices() {
        return events.stream()
                .filter(LoadEvent.OfSlice.class::isInstance)
                .map(event -> ((LoadEvent.OfSlice) event).state())
                .toList();
    }

    private static void everything(LoadGenerator load) {
        load.start();
        load.pause(ofSeconds(40));
        load.rollingUpdate(4, ofSeconds(1));
        load.flap(5, 3, ofSeconds(2));
        load.drainNode(7, ofSeconds(1));
        load.loseZone(1, ofSeconds(30));
    }

    private static byte[] recorded() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RecordingWriter writer = new RecordingWriter(out)) {
            everything(new LoadGenerator(SHAPE, writer));
        }
        return out.toByteArray();
    }

    @Test
    void a_cluster_starts_with_all_its_nodes_services_and_slices() {
        load.start();

        assertThat(events).hasSize(20 + 10 + 10 * 2);
        assertThat(slices()).allSatisfy(slice -> assertThat(slice.nodeNames()).hasSize(3));
    }

    @Test
    void a_rolling_update_moves_every_pod_one_after_another() {
        load.rollingUpdate(0, ofSeconds(5));

        assertThat(events).hasSize(6);
        assertThat(events.get(5).offsetMillis()).isEqualTo(25_000);
        assertThat(load.nowMillis()).isEqualTo(30_000);
        assertThat(new HashSet<>(slices())).hasSize(6);
    }

    @Test
    void no_pods_run_on_a_drained_node() {
        load.drainNode(3, ofSeconds(1));
        LoadEvent last = events.get(events.size() - 1);
        events.clear();
        load.start();

        assertThat(last.type()).isEqualTo(LoadEvent.Type.DELETED);
        assertThat(slices()).noneSatisfy(slice -> assertThat(slice.nodeNames()).contains(SHAPE.node(3)));
    }

    @Test
    void pods_of_a_lost_zone_come_back_elsewhere() {
        load.loseZone(2, ofSeconds(60));
        events.clear();
        load.start();

        assertThat(slices()).allSatisfy(slice -> assertThat(slice.nodeNames()).hasSize(3));
        Set<String> lost = new HashSet<>();
        for (int j = 2; j < SHAPE.nodes(); j += SHAPE.zones()) {
            lost.add(SHAPE.node(j));
        }
        assertThat(slices()).allSatisfy(slice -> assertThat(slice.nodeNames()).doesNotContainAnyElementsOf(lost));
    }

    @Test
    void a_flapping_pod_ends_where_it_started() {
        load.start();
        EndpointSliceState before = slices().get(0);
        load.flap(0, 4, ofSeconds(1));

        List<EndpointSliceState> all = slices();
        assertThat(all.get(all.size() - 1)).isEqualTo(before);
        assertThat(all.get(all.size() - 2).nodeNames()).hasSize(2);
    }

    @Test
    void the_same_calls_give_the_same_replayable_recording() throws Exception {
        byte[] recording = recorded();

        assertThat(recorded()).isEqualTo(recording);
        Recording.Extent extent = new Recording("load", () -> new ByteArrayInputStream(recording)).check();
        List<LoadEvent> expected = new ArrayList<>();
        everything(new LoadGenerator(SHAPE, expected::add));
        assertThat(extent.events()).isEqualTo(expected.size());
        assertThat(extent.lastOffsetMillis())
                .isEqualTo(expected.get(expected.size() - 1).offsetMillis());
    }

    @Test
    void the_inventory_has_the_pool_of_every_service() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        InventoryWriter.write(SHAPE, out);

        Inventory inventory = Inventory.read(new ByteArrayInputStream(out.toByteArray()), "load");

        assertThat(new FakeCloud(new FakeTime(), inventory, Faults.NONE, call -> {}).poolKeys())
                .containsExactlyInAnyOrderElementsOf(SHAPE.pools());
    }

    @Test
    void every_node_of_the_largest_shape_has_an_address_of_its_own() {
        LoadShape many = SHAPE.withNodes(200_000);
        Set<String> addresses = new HashSet<>();
        for (int j = 0; j < many.nodes(); j++) {
            addresses.add(many.address(j));
        }

        assertThat(addresses).hasSize(many.nodes());
        assertThat(many.address(999_999)).isEqualTo("10.79.249.253");
    }

    @Test
    void invalid_numbers_are_refused() {
        assertThatThrownBy(() -> SHAPE.withServices(0)).hasMessage("services must be 1 or more, got 0");
        assertThatThrownBy(() -> SHAPE.withNodes(1_000_001)).hasMessage("nodes must be at most 1000000, got 1000001");
    }
}
