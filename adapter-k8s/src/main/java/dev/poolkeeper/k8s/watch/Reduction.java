package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PodId;
import dev.poolkeeper.ports.PodState;
import dev.poolkeeper.ports.ReadinessCondition;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reduces an object of the API server to the few fields that are kept. Strings that many objects share (node names and
 * namespaces) are stored once while an object refers to them. Labels are kept of waiting Pods only and selectors of
 * local Services only, up to a {@link SizeLimit}, because tenants choose how many there are. Thread-safe.
 */
final class Reduction {

    /** Far longer than those that API servers give to Pods; a slice may name any. */
    private static final int LONGEST_UID = 128;

    /** Each string that an object in use refers to; the others are dropped. */
    private final Map<String, WeakReference<String>> shared = new WeakHashMap<>();

    private final Predicate<String> gated;
    private final SizeLimit sizes = new SizeLimit();

    /** Drops the fields that only the readiness gate needs. */
    Reduction() {
        this(namespace -> false);
    }

    /** @param gated the namespaces for which the fields of the readiness gate are kept */
    Reduction(Predicate<String> gated) {
        this.gated = gated;
    }

    ServiceState service(Service service) {
        ServiceSpec spec = service.getSpec() == null ? new ServiceSpec() : service.getSpec();
        ObjectMeta metadata = service.getMetadata();
        ServiceState state = state(metadata, spec, Map.of());
        if (state.isLocal() && gated.test(metadata.getNamespace())) {
            state = state(metadata, spec, selector(metadata, spec));
        }
        return state.withAnnotations(texts(metadata.getAnnotations()));
    }

    private ServiceState state(ObjectMeta metadata, ServiceSpec spec, Map<String, String> selector) {
        return new ServiceState(
                new ServiceName(once(metadata.getNamespace()), metadata.getName()),
                onceOrNull(spec.getType()),
                onceOrNull(spec.getExternalTrafficPolicy()),
                present(spec.getIpFamilies()).map(this::once).toList(),
                onceOrNull(spec.getLoadBalancerClass()),
                instant(metadata.getCreationTimestamp()).orElse(null),
                selector);
    }

    private Map<String, String> selector(ObjectMeta metadata, ServiceSpec spec) {
        Map<String, String> selector = texts(spec.getSelector());
        return sizes.fits("Service", metadata, selector, "Selector is too large; it matches no Pods")
                ? selector
                : Map.of();
    }

    EndpointSliceState slice(EndpointSlice slice) {
        ObjectMeta metadata = slice.getMetadata();
        String namespace = once(metadata.getNamespace());
        List<String> nodeNames = present(slice.getEndpoints())
                .map(Endpoint::getNodeName)
                .filter(Reduction::isThere)
                .map(this::once)
                .toList();
        String addressType = slice.getAddressType() == null ? "" : once(slice.getAddressType());
        return new EndpointSliceState(
                namespace,
                metadata.getName(),
                serviceOf(metadata, namespace),
                addressType,
                nodeNames,
                gated.test(namespace) ? podUids(slice) : Set.of());
    }

    private static Set<String> podUids(EndpointSlice slice) {
        return present(slice.getEndpoints())
                .map(Endpoint::getTargetRef)
                .filter(target -> target != null && "Pod".equals(target.getKind()))
                .map(ObjectReference::getUid)
                .filter(uid -> uid != null && !uid.isEmpty() && uid.length() <= LONGEST_UID)
                .collect(Collectors.toSet());
    }

    PodState pod(Pod pod) {
        ObjectMeta metadata = pod.getMetadata();
        PodSpec spec = pod.getSpec() == null ? new PodSpec() : pod.getSpec();
        PodStatus status = pod.getStatus() == null ? new PodStatus() : pod.getStatus();
        PodState state = state(metadata, spec, status, Map.of(), isGated(spec));
        if (!state.isWaiting()) {
            return state;
        }
        Map<String, String> labels = texts(metadata.getLabels());
        return sizes.fits("Pod", metadata, labels, "Labels are too large; the readiness gate of the Pod stays closed")
                ? state(metadata, spec, status, labels, true)
                : state(metadata, spec, status, Map.of(), false);
    }

    private PodState state(
            ObjectMeta metadata, PodSpec spec, PodStatus status, Map<String, String> labels, boolean isGated) {
        return new PodState(
                new PodId(once(metadata.getNamespace()), metadata.getName(), ReducedStore.uid(metadata)),
                labels,
                isGated,
                metadata.getDeletionTimestamp() != null
                        || "Succeeded".equals(status.getPhase())
                        || "Failed".equals(status.getPhase()),
                Optional.ofNullable(spec.getNodeName())
                        .filter(node -> !node.isBlank())
                        .map(this::once),
                ips(status),
                present(status.getConditions())
                        .filter(one -> PodState.GATE.equals(one.getType()))
                        .findFirst()
                        .flatMap(Reduction::readiness),
                metadata.getResourceVersion() == null ? "" : metadata.getResourceVersion());
    }

    private static boolean isGated(PodSpec spec) {
        return present(spec.getReadinessGates()).anyMatch(gate -> PodState.GATE.equals(gate.getConditionType()));
    }

    private static List<String> ips(PodStatus status) {
        List<String> ips = present(status.getPodIPs())
                .map(PodIP::getIp)
                .filter(Reduction::isThere)
                .toList();
        String first = status.getPodIP();
        return ips.isEmpty() && first != null && !first.isBlank() ? List.of(first) : ips;
    }

    private static Optional<ReadinessCondition> readiness(PodCondition condition) {
        String reason = condition.getReason() == null ? "" : condition.getReason();
        String message = condition.getMessage() == null ? "" : condition.getMessage();
        return switch (condition.getStatus() == null ? "" : condition.getStatus()) {
            case "True" ->
                Optional.of(new ReadinessCondition(
                        true,
                        reason,
                        message,
                        instant(condition.getLastTransitionTime()).orElse(Instant.EPOCH)));
            case "False" ->
                instant(condition.getLastTransitionTime())
                        .map(since -> new ReadinessCondition(false, reason, message, since));
            default -> Optional.empty();
        };
    }

    /** Empty if absent or in a form that API servers do not write. */
    private static Optional<Instant> instant(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static @Nullable ServiceName serviceOf(ObjectMeta metadata, String namespace) {
        String service = texts(metadata.getLabels()).get(EndpointSliceState.SERVICE_NAME_LABEL);
        return service == null || service.isBlank() ? null : new ServiceName(namespace, service);
    }

    NodeState node(Node node) {
        ObjectMeta metadata = node.getMetadata();
        Map<String, String> excluding = new HashMap<>();
        Map<String, String> labels = texts(metadata.getLabels());
        for (String label : NodeState.LABELS_THAT_EXCLUDE) {
            String value = labels.get(label);
            if (value != null) {
                excluding.put(label, value);
            }
        }
        NodeStatus status = node.getStatus() == null ? new NodeStatus() : node.getStatus();
        List<String> internalIps = present(status.getAddresses())
                .filter(address -> "InternalIP".equals(address.getType()))
                .map(NodeAddress::getAddress)
                .filter(Reduction::isThere)
                .toList();
        return new NodeState(once(metadata.getName()), excluding, internalIps);
    }

    /** The elements that are there; null elements count as absent. */
    private static <T> Stream<T> present(@Nullable List<T> elements) {
        return elements == null ? Stream.empty() : elements.stream().filter(Objects::nonNull);
    }

    private static boolean isThere(@Nullable String text) {
        return text != null && !text.isBlank();
    }

    /** Labels or annotations; a null value is an empty text, as API servers read it. */
    private static Map<String, String> texts(@Nullable Map<String, String> texts) {
        if (texts == null || !texts.containsValue(null)) {
            return texts == null ? Map.of() : texts;
        }
        Map<String, String> present = new HashMap<>(texts);
        present.replaceAll((name, value) -> value == null ? "" : value);
        return present;
    }

    private @Nullable String onceOrNull(@Nullable String text) {
        return text == null ? null : once(text);
    }

    private String once(String text) {
        synchronized (shared) {
            WeakReference<String> reference = shared.get(text);
            String known = reference == null ? null : reference.get();
            if (known == null) {
                shared.put(text, new WeakReference<>(text));
                return text;
            }
            return known;
        }
    }
}
