package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.APIGroup;
import io.fabric8.kubernetes.api.model.APIGroupBuilder;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindDiscoveryTest {

    /** An API server with this group in these versions, of which those with a plus serve the kind. */
    private static KubernetesClient serving(PolicyKind kind, String versions) {
        APIGroupBuilder group = new APIGroupBuilder().withName(kind.group());
        Set<String> all = Set.of(versions.split(" "));
        for (String version : versions.split(" ")) {
            group.addNewVersion(kind.group() + "/" + version.replace("+", ""), version.replace("+", ""));
        }
        APIGroup found = versions.equals("none") ? null : group.build();
        APIResourceList resources = new APIResourceListBuilder()
                .addNewResource()
                .withName("others")
                .endResource()
                .addNewResource()
                .withName(kind.plural())
                .endResource()
                .build();
        return (KubernetesClient) Proxy.newProxyInstance(
                KindDiscoveryTest.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "getApiGroup" -> args[0].equals(kind.group()) ? found : null;
                    case "getApiResources" -> {
                        String version = String.valueOf(args[0]).replace(kind.group() + "/", "");
                        yield all.contains(version + "+")
                                ? resources
                                : version.equals("v8")
                                        ? new APIResourceListBuilder()
                                                .withResources(List.of())
                                                .build()
                                        : null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        ROUTE          | v1+                 | v1       | ''
        ROUTE          | v1beta1+            | v1beta1  | ''
        ROUTE          | v1+ v1beta1+        | v1       | ''
        ROUTE          | v1beta1+ v1+        | v1       | ''
        ROUTE          | v1 v1beta1+         | v1beta1  | ''
        ROUTE          | v9+ v8 v1beta1+     | v1beta1  | ''
        ROUTE          | v9+ v8 v7+          | ''       | the API server serves it as v9, v7 only, but one of these is needed: v1, v1beta1
        ROUTE          | v1 v8               | ''       | the API server does not serve it
        ROUTE          | none                | ''       | the API server does not serve it
        TRAFFIC_POLICY | v1alpha1+           | v1alpha1 | ''
        TRAFFIC_POLICY | v9+ v1alpha1+       | v1alpha1 | ''
        TRAFFIC_POLICY | v1alpha2+           | ''       | the API server serves it as v1alpha2 only, but one of these is needed: v1alpha1
        PROFILE        | v1alpha2+           | v1alpha2 | ''
        PROFILE        | v1alpha1+           | v1alpha1 | ''
        PROFILE        | v1alpha1+ v1alpha2+ | v1alpha2 | ''
        PROFILE        | v1+                 | ''       | the API server serves it as v1 only, but one of these is needed: v1alpha2, v1alpha1
        """)
    void the_preferred_version_of_those_that_can_be_read_is_chosen(
            PolicyKind kind, String served, String version, String why) {
        KindDiscovery.Served found = new KindDiscovery(serving(kind, served), kind).ask();

        assertThat(found.version().orElse("")).isEqualTo(version);
        assertThat(found.why()).isEqualTo(why);
    }
}
