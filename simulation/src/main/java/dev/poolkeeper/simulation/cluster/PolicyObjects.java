package dev.poolkeeper.simulation.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.simulation.time.Chance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Retry policies as objects of the cluster. Valid policies for ARM allow no more retries than the configuration; all
 * others would allow any number.
 */
public final class PolicyObjects {

    /** The policy namespace. */
    public static final String NAMESPACE = "kube-system";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TARGET = "azure-resource-manager";
    private static final String LAVISH =
            "{'budget':{'percent':100,'interval':'10s'},'minRetryRate':{'count':1000,'interval':'1s'}}";

    private final ApiServer server;

    public PolicyObjects(ApiServer server) {
        this.server = server;
    }

    /** Creates the Service that they target, and one of them. */
    public void furnish(Chance chance) {
        apply(
                "/api/v1/namespaces/" + NAMESPACE + "/services/" + TARGET,
                "{'apiVersion':'v1','kind':'Service','metadata':{'name':'%s','namespace':'%s'},"
                                .formatted(TARGET, NAMESPACE)
                        + "'spec':{'type':'ExternalName','externalName':'management.azure.com'}}");
        withoutEffect("policy-0", chance);
    }

    /** Creates or replaces an object, which keeps its status. */
    private void apply(String path, String json) {
        try {
            ObjectNode object = (ObjectNode) JSON.readTree(json.replace('\'', '"'));
            server.get(path)
                    .filter(before -> before.has("status"))
                    .ifPresent(before -> object.set("status", before.get("status")));
            server.apply(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates, changes or deletes one of a few objects. */
    public void change(Chance chance) {
        String name = "policy-" + chance.between(0, 3);
        switch (chance.between(0, 9)) {
            case 0, 1 -> server.delete(path("gateway.networking.x-k8s.io/v1alpha1", "xbackendtrafficpolicies", name));
            case 2 -> server.delete(path("gateway.networking.k8s.io/v1", "httproutes", name));
            case 3, 4 -> policy(NAMESPACE, name, TARGET, budget(chance.pick(5, 10, 20)));
            case 5, 6, 7 -> withoutEffect(name, chance);
            case 8 -> route(name, "'codes':[500,503],'attempts':" + chance.between(0, 3));
            default -> route(name, chance.pick("'codes':[500,700],'attempts':50", "'attempts':'many'"));
        }
    }

    /** A policy that is invalid, has another target, or is in another namespace. It would allow many retries. */
    private void withoutEffect(String name, Chance chance) {
        switch (chance.between(0, 2)) {
            case 0 -> policy(NAMESPACE, name, "some-other-service", LAVISH);
            case 1 -> policy("default", name, TARGET, LAVISH);
            default ->
                policy(
                        NAMESPACE,
                        name,
                        TARGET,
                        chance.pick(List.of(
                                LAVISH.replace("100,", "250,"),
                                LAVISH.replace("10s", "3h"),
                                LAVISH.replace("'percent'", "'per cent':1,'percent'"),
                                LAVISH.replace("1000", "'many'"))));
        }
    }

    private static String budget(int percent) {
        return "{'budget':{'percent':%d,'interval':'60s'},'minRetryRate':{'count':6,'interval':'60s'}}"
                .formatted(percent);
    }

    private static String path(String version, String plural, String name) {
        return path(version, NAMESPACE, plural, name);
    }

    private static String path(String version, String namespace, String plural, String name) {
        return "/apis/" + version + "/namespaces/" + namespace + "/" + plural + "/" + name;
    }

    private void policy(String namespace, String name, String target, String constraint) {
        apply(
                path("gateway.networking.x-k8s.io/v1alpha1", namespace, "xbackendtrafficpolicies", name),
                ("{'apiVersion':'gateway.networking.x-k8s.io/v1alpha1','kind':'XBackendTrafficPolicy',"
                    + "'metadata':{'name':'%s','namespace':'%s'},"
                    + "'spec':{'targetRefs':[{'group':'','kind':'Service','name':'%s'}],'retryConstraint':%s}}")
                        .formatted(name, namespace, target, constraint));
    }

    private void route(String name, String retry) {
        apply(
                path("gateway.networking.k8s.io/v1", "httproutes", name),
                ("{'apiVersion':'gateway.networking.k8s.io/v1','kind':'HTTPRoute',"
                                + "'metadata':{'name':'%s','namespace':'%s'},"
                                + "'spec':{'parentRefs':[{'group':'','kind':'Service','name':'%s'}],"
                                + "'rules':[{'retry':{%s}}]}}")
                        .formatted(name, NAMESPACE, TARGET, retry));
    }
}
