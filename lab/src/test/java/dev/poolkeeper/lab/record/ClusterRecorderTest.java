package dev.poolkeeper.lab.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.contract.ListenerPair;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.recording.RecordedEvent;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.fake.recording.RecordingPlayer;
import dev.poolkeeper.lab.replay.BundledReplay;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClusterRecorderTest {

    private final FakeTime time = new FakeTime();
    private final StringWriter file = new StringWriter();
    private final ClusterRecorder recorder = new ClusterRecorder(file, time);

    /** The events of a listener as texts: of a node's labels only those that exclude it. */
    private static final class Heard implements ClusterListener {
        final List<String> lines = new ArrayList<>();

        @Override
        public void serviceChanged(ServiceState service) {
            lines.add("%s %s %s %s %s"
                    .formatted(
                            service.name(),
                            service.type(),
                            service.externalTrafficPolicy(),
                            service.ipFamilies(),
                            service.paused()));
        }

        @Override
        public void serviceDeleted(ServiceName service) {
            lines.add("- " + service);
        }

        @Override
        public void sliceChanged(EndpointSliceState slice) {
            lines.add(slice.toString());
        }

        @Override
        public void sliceDeleted(EndpointSliceState slice) {
            lines.add("- " + slice);
        }

        @Override
        public void nodeChanged(NodeState node) {
            Map<String, String> labels = new TreeMap<>(node.labels());
            labels.keySet().retainAll(NodeState.LABELS_THAT_EXCLUDE);
            lines.add(node.name() + node.internalIps() + labels);
        }

        @Override
        public void nodeDeleted(String node) {
            lines.add("- " + node);
        }
    }

    private static List<String> heard(Recording recording, ClusterListener also) throws Exception {
        Heard heard = new Heard();
        try (RecordingPlayer player = new RecordingPlayer(List.of(recording))) {
            for (RecordedEvent event = player.next(); event != null; event = player.next()) {
                event.change().report(new ListenerPair(heard, also));
            }
        }
        return heard.lines;
    }

    private Recording recorded() {
        byte[] bytes = file.toString().getBytes(StandardCharsets.UTF_8);
        return new Recording("recorded", () -> new ByteArrayInputStream(bytes));
    }

    @Test
    void a_recording_replays_the_observed_events() throws Exception {
        List<String> original = heard(BundledReplay.recording(), recorder);

        assertThat(heard(recorded(), new Heard())).isEqualTo(original).hasSizeGreaterThan(50);
        assertThat(recorder.events()).isEqualTo(original.size());
    }

    @Test
    void events_have_the_time_since_the_start() throws Exception {
        recorder.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.1")));
        time.advance(Duration.ofMillis(2_500));
        recorder.nodeDeleted("n1");
        recorder.nodeChanged(new NodeState("n1", Map.of(), List.of("10.0.0.1")));

        assertThat(file.toString().lines().map(line -> line.replaceFirst(",\"object.*", "")))
                .containsExactly(
                        "{\"offsetMillis\":0,\"type\":\"ADDED\"",
                        "{\"offsetMillis\":2500,\"type\":\"DELETED\"",
                        "{\"offsetMillis\":2500,\"type\":\"ADDED\"");
    }

    /** Fields that are absent stay absent; an empty one stays empty. */
    @Test
    void each_field_of_each_kind_is_recorded() {
        ServiceName web = new ServiceName("shop", "web");
        recorder.serviceChanged(new ServiceState(web, null, null, List.of()));
        recorder.serviceChanged(new ServiceState(
                web,
                "LoadBalancer",
                "Local",
                List.of("IPv6", "IPv4"),
                "",
                Instant.parse("2026-01-02T03:04:05Z"),
                true,
                255,
                Map.of("app", "web")));
        recorder.serviceChanged(new ServiceState(new ServiceName("other", "web"), "ClusterIP", null, List.of("IPv4")));
        EndpointSliceState slice = new EndpointSliceState("shop", "web", web, "IPv4", List.of("n2", "n1", "n2"));
        recorder.sliceChanged(slice);
        recorder.sliceChanged(new EndpointSliceState("shop", "none", null, "IPv6", List.of()));
        recorder.nodeChanged(new NodeState(
                "web",
                Map.of("kubernetes.io/role", "", "kubernetes.azure.com/managed", "false", "zone", "1"),
                List.of("10.0.0.1", "fd12::1")));
        recorder.nodeChanged(new NodeState("web", Map.of(), List.of()));
        recorder.serviceDeleted(web);
        recorder.sliceDeleted(slice);
        recorder.sliceChanged(slice);
        recorder.nodeDeleted("web");
        String slices = "{'kind':'EndpointSlice','metadata':{'name':'web','namespace':'shop',"
                + "'labels':{'kubernetes.io/service-name':'web'}},'addressType':'IPv4',"
                + "'endpoints':[{'nodeName':'n2'},{'nodeName':'n1'},{'nodeName':'n2'}]}";
        assertThat(file.toString()
                        .replace('"', '\'')
                        .lines()
                        .map(line -> line.replace("{'offsetMillis':0,'type':", "")))
                .containsExactly(
                        "'ADDED','object':{'kind':'Service','metadata':{'name':'web','namespace':'shop'},"
                                + "'spec':{'ipFamilies':[]}}}",
                        "'MODIFIED','object':{'kind':'Service','metadata':{'name':'web','namespace':'shop',"
                                + "'annotations':{'poolkeeper.dev/paused':'true',"
                                + "'poolkeeper.dev/recorded-annotations':'ff'},"
                                + "'creationTimestamp':'2026-01-02T03:04:05Z'},'spec':{'type':'LoadBalancer',"
                                + "'externalTrafficPolicy':'Local','loadBalancerClass':'',"
                                + "'ipFamilies':['IPv6','IPv4']}}}",
                        "'ADDED','object':{'kind':'Service','metadata':{'name':'web','namespace':'other'},"
                                + "'spec':{'type':'ClusterIP','ipFamilies':['IPv4']}}}",
                        "'ADDED','object':" + slices + "}",
                        "'ADDED','object':{'kind':'EndpointSlice','metadata':{'name':'none','namespace':'shop'},"
                                + "'addressType':'IPv6','endpoints':[]}}",
                        "'ADDED','object':{'kind':'Node','metadata':{'name':'web',"
                                + "'labels':{'kubernetes.io/role':'','kubernetes.azure.com/managed':'false'}},"
                                + "'status':{'addresses':[{'type':'InternalIP','address':'10.0.0.1'},"
                                + "{'type':'InternalIP','address':'fd12::1'}]}}}",
                        "'MODIFIED','object':{'kind':'Node','metadata':{'name':'web','labels':{}},"
                                + "'status':{'addresses':[]}}}",
                        "'DELETED','object':{'kind':'Service','metadata':{'name':'web','namespace':'shop'}}}",
                        "'DELETED','object':" + slices + "}",
                        "'ADDED','object':" + slices + "}",
                        "'DELETED','object':{'kind':'Node','metadata':{'name':'web'}}}");
    }

    @Test
    void annotations_and_other_labels_are_omitted_but_their_changes_are_recorded() throws Exception {
        ServiceState web = new ServiceState(new ServiceName("shop", "web"), "LoadBalancer", "Local", List.of("IPv4"));
        recorder.serviceChanged(web.withAnnotations(Map.of("example/password", "hunter2")));
        recorder.serviceChanged(
                web.withAnnotations(Map.of("example/password", "other", "poolkeeper.dev/paused", "true")));
        recorder.nodeChanged(new NodeState("n1", Map.of("example/owner", "jane"), List.of("10.0.0.1")));

        assertThat(file.toString()).doesNotContain("hunter2", "password", "jane", "owner");
        List<String> fingerprints = file.toString()
                .lines()
                .filter(line -> line.contains("Service"))
                .map(line -> line.replaceFirst(".*recorded-annotations\":\"(\\w+)\".*", "$1"))
                .toList();
        assertThat(fingerprints).doesNotHaveDuplicates().allMatch(text -> text.matches("[0-9a-f]{1,16}"));
        assertThat(heard(recorded(), new Heard()).get(1)).endsWith("true");
    }

    @Test
    void hostile_names_are_recorded_safely_and_as_they_are() throws Exception {
        String name = HostileText.ALL.replace("/", "");
        recorder.nodeChanged(new NodeState(name, Map.of(NodeState.ROLE, HostileText.SHORT), List.of("10.0.0.4")));
        recorder.serviceChanged(new ServiceState(
                new ServiceName("shop", name), HostileText.SHORT, HostileText.SHORT, List.of(HostileText.SHORT)));
        StringWriter inventory = new StringWriter();
        PoolKey pool = new PoolKey(ArmName.of(HostileText.ALL), ArmName.of(HostileText.SHORT));
        RecordedInventory.write(List.of(new BackendPool(pool, AddressSet.of("10.0.0.4"), null, null)), inventory);

        HostileText.assertSafe(file.toString());
        HostileText.assertSafe(inventory.toString());
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(file.toString().lines().findFirst().orElseThrow())
                        .at("/object/metadata/name")
                        .asText())
                .isEqualTo(name);
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(inventory.toString())
                        .at("/value/0/name")
                        .asText())
                .isEqualTo(HostileText.ALL);
    }

    @Test
    void a_recording_that_cannot_be_written_says_so_and_ends_there() {
        IOException full = new IOException("No space left on device");
        Writer disk = new Writer() {
            private int left = 2;

            @Override
            public void write(char[] text, int from, int length) throws IOException {
                if (left-- <= 0) {
                    throw full;
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        ClusterRecorder recording = new ClusterRecorder(disk, time);
        for (int i = 0; i < 4; i++) {
            recording.nodeDeleted("n" + i);
        }
        assertThat(recording.events()).isEqualTo(2);
        assertThat(recording.failure()).contains(full);
    }
}
