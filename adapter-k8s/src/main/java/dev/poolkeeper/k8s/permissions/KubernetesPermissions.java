package dev.poolkeeper.k8s.permissions;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.InOutCreateable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks our permissions at the API server, before they are needed. */
public final class KubernetesPermissions {

    /** Failures that every review would repeat: no response, no such API, or not allowed to ask. */
    private static final Set<Integer> FOR_ALL = Set.of(0, 401, 403, 404);

    private KubernetesPermissions() {}

    /**
     * Sends one SelfSubjectAccessReview for each permission, one after the other. Blocks. Never throws on trouble with
     * the API server: permissions that could not be reviewed are part of the result, and if the API server does not
     * respond at all, the remaining ones are not sent.
     *
     * <p>A missing {@code create} permission is not reported if the object exists.
     *
     * @param client from {@link KubernetesClients#forLeases}, which has a short request timeout
     * @param required such as {@link RequiredPermissions#watching}
     * @return the missing and unknown permissions, in the order given; empty if there are none
     */
    public static List<MissingPermission> missing(KubernetesClient client, Collection<Permission> required) {
        List<MissingPermission> missing = new ArrayList<>();
        InOutCreateable<SelfSubjectAccessReview, SelfSubjectAccessReview> reviews =
                client.authorization().v1().selfSubjectAccessReview(); // costs more than a question
        String noAnswer = null;
        for (Permission permission : required) {
            if (noAnswer != null) {
                missing.add(MissingPermission.unknown(permission, noAnswer));
                continue;
            }
            try {
                ask(client, reviews, permission).ifPresent(missing::add);
            } catch (RuntimeException e) { // for example, an unreadable token
                String why = "request to %s failed: %s".formatted(client.getMasterUrl(), ApiFailure.cause(e));
                missing.add(MissingPermission.unknown(permission, why));
                noAnswer = FOR_ALL.contains(ApiFailure.status(e)) ? why : null;
            }
        }
        return List.copyOf(missing);
    }

    private static Optional<MissingPermission> ask(
            KubernetesClient client,
            InOutCreateable<SelfSubjectAccessReview, SelfSubjectAccessReview> reviews,
            Permission permission) {
        SubjectAccessReviewStatus status = reviews.create(question(permission)).getStatus();
        if (status == null) {
            return Optional.of(MissingPermission.unknown(permission, "the API server answered without a status"));
        }
        if (Boolean.TRUE.equals(status.getAllowed()) || permission.isCreate() && exists(client, permission)) {
            return Optional.empty();
        }
        String error = status.getEvaluationError();
        return Optional.of(
                error == null || error.isBlank() || Boolean.TRUE.equals(status.getDenied())
                        ? MissingPermission.denied(permission)
                        : MissingPermission.unknown(permission, error));
    }

    private static SelfSubjectAccessReview question(Permission permission) {
        return new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withGroup(permission.group())
                .withResource(permission.resource().split("/")[0])
                .withSubresource(subresource(permission.resource()))
                .withVerb(permission.verb())
                .withNamespace(permission.namespace())
                .withName(permission.isCreate() ? "" : permission.name())
                .endResourceAttributes()
                .endSpec()
                .build();
    }

    /** The part after the slash, as in {@code pods/status}; empty for the object itself. */
    private static String subresource(String resource) {
        int slash = resource.indexOf('/');
        return slash < 0 ? "" : resource.substring(slash + 1);
    }

    /** Leases are the only objects that we create once and keep. */
    private static boolean exists(KubernetesClient client, Permission permission) {
        if (!permission.resource().equals("leases") || permission.name().isEmpty()) {
            return false;
        }
        try {
            return client.leases()
                            .inNamespace(permission.namespace())
                            .withName(permission.name())
                            .get()
                    != null;
        } catch (KubernetesClientException e) {
            return false; // the {@code get} permission is reported separately
        }
    }
}
