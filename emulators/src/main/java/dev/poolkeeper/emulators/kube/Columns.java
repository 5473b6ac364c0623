package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The columns that an API server returns for each kind (kubernetes {@code pkg/printers/internalversion/printers.go}).
 */
final class Columns {

    private static final String NONE = "<none>";
    private static final String UNKNOWN = "<unknown>";
    private static final int MOST_SHOWN = 3;
    private static final String ROLE = "node-role.kubernetes.io/";

    private static final List<Column> SERVICE = List.of(
            Column.ofNames(),
            Column.of("Type", service -> service.at("/spec/type").asText("")),
            Column.of("Cluster-IP", service -> orElse(service.at("/spec/clusterIP"), NONE)),
            Column.of("External-IP", Columns::externalIps),
            Column.of("Port(s)", Columns::servicePorts),
            Column.age(),
            Column.wide("Selector", service -> selector(service.at("/spec/selector"))));

    private static final List<Column> SLICE = List.of(
            Column.ofNames(),
            Column.of("AddressType", slice -> slice.path("addressType").asText("")),
            Column.of("Ports", slice -> shortened(texts(slice.path("ports"), port -> orElse(port.path("port"), "*")))),
            Column.of("Endpoints", Columns::endpoints),
            Column.age());

    private static final List<Column> NODE = List.of(
            Column.ofNames(),
            Column.of("Status", Columns::nodeStatus),
            Column.of("Roles", Columns::roles),
            Column.age(),
            Column.of(
                    "Version",
                    node -> node.at("/status/nodeInfo/kubeletVersion").asText("")),
            Column.wide("Internal-IP", node -> address(node, "InternalIP")),
            Column.wide("External-IP", node -> address(node, "ExternalIP")),
            Column.wide("OS-Image", node -> orElse(node.at("/status/nodeInfo/osImage"), UNKNOWN)),
            Column.wide("Kernel-Version", node -> orElse(node.at("/status/nodeInfo/kernelVersion"), UNKNOWN)),
            Column.wide(
                    "Container-Runtime", node -> orElse(node.at("/status/nodeInfo/containerRuntimeVersion"), UNKNOWN)));

    private static final List<Column> POD = List.of(
            Column.ofNames(),
            Column.of("Status", pod -> pod.at("/status/phase").asText("")),
            Column.age(),
            Column.wide("IP", pod -> orElse(pod.at("/status/podIP"), NONE)),
            Column.wide("Node", pod -> orElse(pod.at("/spec/nodeName"), NONE)));

    private static final List<Column> LEASE = List.of(
            Column.ofNames(),
            Column.of("Holder", lease -> lease.at("/spec/holderIdentity").asText("")),
            Column.age());

    private static final List<Column> NAMESPACE = List.of(
            Column.ofNames(),
            Column.of("Status", namespace -> namespace.at("/status/phase").asText("")),
            Column.age());

    private static final List<Column> CUSTOM = List.of(Column.ofNames(), Column.age());

    /** The columns of core/v1 Events. */
    private static final List<Column> EVENT = List.of(
            Column.ago("Last Seen", Columns::lastSeen),
            Column.of("Type", event -> event.path("type").asText("")),
            Column.of("Reason", event -> event.path("reason").asText("")),
            Column.of("Object", Columns::involved),
            Column.wide("Source", event -> orElse(event.path("reportingComponent"), NONE)),
            Column.of("Message", event -> event.path("message").asText("").strip()),
            Column.wide("Count", event -> orElse(event.at("/series/count"), orElse(event.path("count"), "1"))),
            Column.wide("Name", KubeJson::name));

    private Columns() {}

    static List<Column> of(KubeResource resource) {
        return switch (resource.kind()) {
            case "Service" -> SERVICE;
            case "EndpointSlice" -> SLICE;
            case "Node" -> NODE;
            case "Pod" -> POD;
            case "Lease" -> LEASE;
            case "Namespace" -> NAMESPACE;
            case "Event" -> EVENT;
            default -> CUSTOM;
        };
    }

    private static String orElse(JsonNode value, String otherwise) {
        String text = value.asText("");
        return text.isEmpty() ? otherwise : text;
    }

    private static List<String> texts(JsonNode list, Column.Text text) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(text.of(element)));
        return texts;
    }

    private static String externalIps(JsonNode service) {
        List<String> ips = texts(
                service.at("/status/loadBalancer/ingress"),
                ingress -> orElse(ingress.path("ip"), ingress.path("hostname").asText("")));
        ips.addAll(texts(service.at("/spec/externalIPs"), ip -> ip.asText("")));
        String type = service.at("/spec/type").asText("");
        if (type.equals("ExternalName")) {
            return service.at("/spec/externalName").asText("");
        }
        return !ips.isEmpty() ? String.join(",", ips) : type.equals("LoadBalancer") ? "<pending>" : NONE;
    }

    private static String servicePorts(JsonNode service) {
        List<String> ports = texts(service.at("/spec/ports"), port -> {
            String nodePort = port.path("nodePort").asText("");
            return port.path("port").asText("") + (nodePort.isEmpty() ? "" : ":" + nodePort) + "/"
                    + orElse(port.path("protocol"), "TCP");
        });
        return ports.isEmpty() ? NONE : String.join(",", ports);
    }

    private static String selector(JsonNode selector) {
        Map<String, String> sorted = new TreeMap<>();
        selector.properties()
                .forEach(one -> sorted.put(one.getKey(), one.getValue().asText("")));
        return sorted.isEmpty()
                ? NONE
                : sorted.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(","));
    }

    private static String endpoints(JsonNode slice) {
        List<String> addresses = new ArrayList<>();
        slice.path("endpoints")
                .forEach(endpoint -> addresses.addAll(texts(endpoint.path("addresses"), a -> a.asText(""))));
        return shortened(addresses);
    }

    private static String shortened(List<String> texts) {
        if (texts.isEmpty()) {
            return "<unset>";
        }
        return texts.size() <= MOST_SHOWN
                ? String.join(",", texts)
                : String.join(",", texts.subList(0, MOST_SHOWN)) + " + %s more...".formatted(texts.size() - MOST_SHOWN);
    }

    private static String nodeStatus(JsonNode node) {
        String ready = "Unknown";
        for (JsonNode condition : node.at("/status/conditions")) {
            if (condition.path("type").asText("").equals("Ready")) {
                ready = condition.path("status").asText("").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.at("/spec/unschedulable").asBoolean() ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(JsonNode node) {
        String roles = node.at("/metadata/labels").properties().stream()
                .map(Map.Entry::getKey)
                .filter(label -> label.startsWith(ROLE) && label.length() > ROLE.length())
                .map(label -> label.substring(ROLE.length()))
                .sorted()
                .collect(Collectors.joining(","));
        return roles.isEmpty() ? NONE : roles;
    }

    private static String address(JsonNode node, String type) {
        for (JsonNode address : node.at("/status/addresses")) {
            if (address.path("type").asText("").equals(type)) {
                return address.path("address").asText("");
            }
        }
        return NONE;
    }

    private static String lastSeen(JsonNode event) {
        String single = orElse(
                event.path("lastTimestamp"),
                orElse(event.path("firstTimestamp"), event.path("eventTime").asText("")));
        return orElse(event.at("/series/lastObservedTime"), single);
    }

    private static String involved(JsonNode event) {
        JsonNode object = event.path("involvedObject");
        return object.path("kind").asText("").toLowerCase(Locale.ROOT) + "/"
                + object.path("name").asText("");
    }
}
