package dev.poolkeeper.input.policies;

import static java.util.Objects.requireNonNullElse;

import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.BudgetSettings.Linkerd;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes policies of manifests that concern one backend, given by the name of the Service or ServiceImport that stands
 * for it. Others are passed over.
 */
final class ManifestReader {

    /** The kinds that mean something. */
    static final String KINDS = "HTTPRoute, XBackendTrafficPolicy, BackendTrafficPolicy, ServiceProfile";

    private static final Set<String> BACKENDS = Set.of("Service", "ServiceImport");
    private static final Set<Integer> SERVER_ERRORS =
            IntStream.rangeClosed(500, 599).boxed().collect(Collectors.toUnmodifiableSet());
    private static final int MOST_TARGETS = 16;

    private final String target;
    private final Consumer<String> notes;

    /** @param notes called with what was passed over */
    ManifestReader(String target, Consumer<String> notes) {
        this.target = target;
        this.notes = notes;
    }

    /** The policy that the object is, if it is one for the target. */
    Optional<PolicyManifest> read(String file, JsonObject object) {
        String kind = object.requiredString("kind");
        return switch (kind) {
            case "HTTPRoute" -> route(file, object);
            case "XBackendTrafficPolicy", "BackendTrafficPolicy" -> traffic(file, object);
            case "ServiceProfile" -> profile(file, object);
            default -> {
                if (!kind.isEmpty()) {
                    notes.accept(file + ": " + kind + " is passed over, retries are set by " + KINDS);
                }
                yield Optional.empty();
            }
        };
    }

    private Optional<PolicyManifest> route(String file, JsonObject object) {
        List<JsonObject> rules = object.object("spec").objects("rules");
        List<RetryPolicy> policies = rules.stream()
                .filter(rule -> rule.objects("backendRefs").stream().anyMatch(this::isTarget))
                .map(PolicyStanzas::ofRoute)
                .toList();
        if (policies.isEmpty()) {
            return passedOver(file, object, "no rule has a backendRef to " + target);
        }
        if (policies.size() > 1) {
            notes.accept(nameOf(file, object) + ": several rules have a backendRef to " + target + ", the first holds");
        }
        return Optional.of(manifest(file, object, policies.get(0), null));
    }

    private Optional<PolicyManifest> traffic(String file, JsonObject object) {
        JsonObject spec = object.object("spec");
        List<JsonObject> refs = spec.objects("targetRefs");
        if (refs.isEmpty() || refs.size() > MOST_TARGETS) {
            spec.fault("targetRefs", "found " + refs.size() + " elements, must have 1 to " + MOST_TARGETS);
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < refs.size(); i++) {
            JsonObject ref = refs.get(i);
            String kind = ref.requiredString("kind");
            String name = ref.requiredString("name");
            String group = requireNonNullElse(ref.optionalString("group"), "");
            if (!seen.add(group + "/" + kind + "/" + name)) {
                spec.fault("targetRefs[" + i + "]", "found " + kind + " " + name + " twice, must be a set");
            }
        }
        if (spec.has("sessionPersistence")) {
            spec.fault("sessionPersistence", "is not supported, there are no sessions with ARM; must be left out");
        }
        if (spec.has("retryConstraint") && spec.has("retry")) {
            spec.fault("retry", "is the older spelling of retryConstraint, must be left out beside it");
        }
        BudgetSettings budget =
                spec.has("retryConstraint") ? PolicyStanzas.ofConstraint(spec) : PolicyStanzas.ofFirstDraft(spec);
        return refs.stream().anyMatch(this::isTarget)
                ? Optional.of(manifest(file, object, null, budget))
                : passedOver(file, object, "no targetRef is " + target);
    }

    /** Linkerd retries server errors at once, as often as the budget allows, within the route's timeout. */
    private Optional<PolicyManifest> profile(String file, JsonObject object) {
        JsonObject spec = object.object("spec");
        BudgetSettings budget = requireNonNullElse(PolicyStanzas.ofLinkerd(spec), Linkerd.DEFAULT);
        List<RetryPolicy> policies = spec.objects("routes").stream()
                .map(ManifestReader::ofProfileRoute)
                .distinct()
                .toList();
        String host = object.object("metadata").requiredString("name");
        if (!host.equals(target) && !host.startsWith(target + ".")) {
            return passedOver(file, object, "it is not named after " + target);
        }
        if (policies.size() > 1) {
            notes.accept(
                    nameOf(file, object) + ": its routes differ, the first that is retryable holds for all of ARM");
        }
        RetryPolicy policy = policies.stream()
                .filter(RetryPolicy::isOn)
                .findFirst()
                .or(() -> policies.stream().findFirst())
                .orElse(null);
        return Optional.of(manifest(file, object, policy, budget));
    }

    private static RetryPolicy ofProfileRoute(JsonObject route) {
        boolean retryable = route.node().path("isRetryable").asBoolean(false);
        if (route.has("isRetryable") && !route.node().path("isRetryable").isBoolean()) {
            route.fault("isRetryable", "found " + route.node().path("isRetryable") + ", must be true or false");
        }
        Duration timeout = requireNonNullElse(StanzaFields.duration(route, "timeout"), Duration.ZERO);
        return StanzaFields.validated(
                route,
                RetryPolicy.OFF,
                () -> new RetryPolicy(
                        retryable ? SERVER_ERRORS : Set.of(),
                        retryable ? RetryPolicy.UNLIMITED : 0,
                        Duration.ZERO,
                        timeout,
                        Duration.ZERO));
    }

    private boolean isTarget(JsonObject ref) {
        String kind = requireNonNullElse(ref.optionalString("kind"), "Service");
        return BACKENDS.contains(kind) && Objects.equals(ref.optionalString("name"), target);
    }

    private Optional<PolicyManifest> passedOver(String file, JsonObject object, String why) {
        notes.accept(nameOf(file, object) + ": is passed over, " + why);
        return Optional.empty();
    }

    private static PolicyManifest manifest(
            String file, JsonObject object, @Nullable RetryPolicy policy, @Nullable BudgetSettings budget) {
        String created = requireNonNullElse(object.object("metadata").optionalString("creationTimestamp"), "");
        return new PolicyManifest(nameOf(file, object), orderOf(object), created, policy, budget);
    }

    private static String nameOf(String file, JsonObject object) {
        return file + ": " + object.node().path("kind").asText() + " " + orderOf(object);
    }

    private static String orderOf(JsonObject object) {
        JsonObject metadata = object.object("metadata");
        String namespace = requireNonNullElse(metadata.optionalString("namespace"), "default");
        return namespace + "/" + metadata.node().path("name").asText();
    }
}
