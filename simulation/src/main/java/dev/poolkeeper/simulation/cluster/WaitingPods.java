package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Pods with the readiness gate. Each runs on one node and is listed by its own slices. */
public final class WaitingPods {

    /** The label by which Pods opt in, as documented. */
    private static final String LABEL = "poolkeeper.dev/readiness-gate";

    private static final String GATE = "poolkeeper.dev/load-balancer-ready";

    /**
     * A Pod.
     *
     * @param uid as assigned by the API server
     * @param node the node it runs on
     */
    public record WaitingPod(String namespace, String name, String uid, String node) {

        private String path() {
            return "/api/v1/namespaces/" + namespace + "/pods/" + name;
        }
    }

    private final ApiServer server;
    private final Map<String, WaitingPod> byUid = new LinkedHashMap<>();
    private int count;
    private String refusedNamespace = "";
    private int refusal;

    public WaitingPods(ApiServer server) {
        this.server = server;
        server.refusing(
                call -> call.method().equals("PATCH") && isRefused(call.uri().getPath()) ? refusal : 0);
    }

    private boolean isRefused(String path) {
        return path.startsWith("/api/v1/namespaces/" + refusedNamespace + "/pods/");
    }

    /** From now on the API server refuses to write Pods of one namespace with this status; 0 for none. */
    public void refuse(String namespace, int status) {
        refusedNamespace = namespace;
        refusal = status;
    }

    /** Whether the API server refuses to write this Pod. */
    public boolean isRefused(WaitingPod pod) {
        return refusal != 0 && isRefused(pod.path());
    }

    /** Starts a Pod of this Service on this node. */
    public void create(ServiceName service, List<String> families, String node) {
        String name = service.name() + "-pod-" + ++count;
        server.apply(json(service.namespace(), name, node));
        WaitingPod pod = new WaitingPod(service.namespace(), name, "", node);
        String uid = server.get(pod.path())
                .orElseThrow()
                .path("metadata")
                .path("uid")
                .asText();
        byUid.put(uid, new WaitingPod(pod.namespace(), name, uid, node));
        for (String family : families) {
            String slice = name + "-" + family.toLowerCase(Locale.ROOT);
            server.put(
                    Kind.SLICE,
                    service.namespace() + "/" + slice,
                    new EndpointSliceState(service.namespace(), slice, service, family, List.of(node), Set.of(uid)));
        }
    }

    private static ObjectNode json(String namespace, String name, String node) {
        ObjectNode pod = JsonNodeFactory.instance.objectNode();
        pod.put("apiVersion", "v1").put("kind", "Pod");
        pod.putObject("metadata")
                .put("namespace", namespace)
                .put("name", name)
                .putObject("labels")
                .put(LABEL, "true");
        ObjectNode spec = pod.putObject("spec").put("nodeName", node);
        spec.putArray("readinessGates").addObject().put("conditionType", GATE);
        ObjectNode status = pod.putObject("status").put("podIP", "10.244.0.9");
        status.putArray("podIPs").addObject().put("ip", "10.244.0.9");
        return pod;
    }

    /** Deletes the Pod and its slices. */
    public void delete(WaitingPod pod) {
        byUid.remove(pod.uid());
        for (Sighting slice : server.list(Kind.SLICE)) {
            if (slice.slice().podUids().contains(pod.uid())) {
                server.delete(Kind.SLICE, slice.key());
            }
        }
        server.delete(pod.path());
    }

    /** The existing Pods. */
    public List<WaitingPod> all() {
        return new ArrayList<>(byUid.values());
    }

    public Optional<WaitingPod> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** Whether its gate is open. */
    public boolean isOpen(WaitingPod pod) {
        for (JsonNode condition : server.get(pod.path())
                .map(json -> json.path("status").path("conditions"))
                .orElseGet(JsonNodeFactory.instance::arrayNode)) {
            if (condition.path("type").asText().equals(GATE)) {
                return condition.path("status").asText().equals("True");
            }
        }
        return false;
    }
}
