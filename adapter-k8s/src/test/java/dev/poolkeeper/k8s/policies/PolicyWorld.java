package dev.poolkeeper.k8s.policies;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.emulators.kube.KubeSettings;
import dev.poolkeeper.emulators.kube.RecordedRequest;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.k8s.TestCluster;
import dev.poolkeeper.k8s.Waiting;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.ports.retry.BudgetSettings;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A cluster with retry policies, and the part of a daemon that watches them and writes their statuses. */
final class PolicyWorld implements AutoCloseable {

    static final String NAMESPACE = "poolkeeper";

    final FakeTime time = new FakeTime();
    final TestCluster cluster = new TestCluster(KubeSettings.DEFAULT.withTime(time));
    final KubeEmulator kube = cluster.emulator();
    final PolicyStatusWriter statuses = new PolicyStatusWriter(cluster.client(), "me", time);
    final AtomicInteger reports = new AtomicInteger();
    final PolicyWatcher watcher =
            new PolicyWatcher(cluster.client(), NAMESPACE, WatchSettings.DEFAULT, time, this::report);
    volatile PolicySnapshot snapshot = PolicySnapshot.NONE;

    private void report(PolicySnapshot now) {
        snapshot = now;
        reports.incrementAndGet();
        statuses.setStandings(now.standings(policies()));
    }

    /** The settings that result from the cluster's policies. */
    ArmPolicies policies() {
        return ArmPolicies.of(PolicyManifests.NONE.and(snapshot.manifests()));
    }

    @Nullable
    BudgetSettings budget() {
        return policies().budget();
    }

    /** The percentage of the budget in force; -1 for none. */
    int percent() {
        return budget() instanceof BudgetSettings.GatewayApi budget ? budget.percent() : -1;
    }

    PolicyWorld withTarget() {
        kube.apply("""
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"azure-resource-manager","namespace":"poolkeeper"},
             "spec":{"type":"ExternalName","externalName":"management.azure.com"}}\
            """);
        return this;
    }

    void until(String what, BooleanSupplier condition) {
        Waiting.until(time, what, condition);
    }

    /** A policy that sets a budget. */
    void policy(String name, int percent) {
        policy(NAMESPACE, name, percent);
    }

    void policy(String namespace, String name, int percent) {
        policy(namespace, name, "azure-resource-manager", "{\"budget\":{\"percent\":%d}}".formatted(percent));
    }

    void policy(String namespace, String name, String target, String constraint) {
        kube.apply("""
            {"apiVersion":"gateway.networking.x-k8s.io/v1alpha1","kind":"XBackendTrafficPolicy",
             "metadata":{"name":"%s","namespace":"%s"},
             "spec":{"targetRefs":[{"group":"","kind":"Service","name":"%s"}],"retryConstraint":%s}}\
            """.formatted(name, namespace, target, constraint));
    }

    void route(String name, String rule) {
        kube.apply("""
            {"apiVersion":"gateway.networking.k8s.io/v1","kind":"HTTPRoute",
             "metadata":{"name":"%s","namespace":"poolkeeper"},
             "spec":{"parentRefs":[{"group":"","kind":"Service","name":"azure-resource-manager","port":443}],
                     "rules":[%s]}}\
            """.formatted(name, rule));
    }

    static String pathOf(String name) {
        return "/apis/gateway.networking.x-k8s.io/v1alpha1/namespaces/poolkeeper/xbackendtrafficpolicies/" + name;
    }

    static String pathOfRoute(String name) {
        return "/apis/gateway.networking.k8s.io/v1/namespaces/poolkeeper/httproutes/" + name;
    }

    /** The object as any client reads it. */
    JsonNode object(String path) {
        return cluster.client()
                .getKubernetesSerialization()
                .unmarshal(cluster.client().raw(path), JsonNode.class);
    }

    /** The condition of that type in our entry; missing if there is none. */
    JsonNode condition(String path, String type) {
        for (String list : List.of("ancestors", "parents")) {
            for (JsonNode entry : object(path).path("status").path(list)) {
                if (StatusEntries.isOwn(entry)) {
                    for (JsonNode condition : entry.path("conditions")) {
                        if (condition.path("type").asText().equals(type)) {
                            return condition;
                        }
                    }
                }
            }
        }
        return MissingNode.getInstance();
    }

    /** The reason of {@code Accepted} in our entry; empty if there is none. */
    String accepted(String path) {
        return condition(path, "Accepted").path("reason").asText();
    }

    long statusWrites() {
        return kube.requests().stream().filter(PolicyWorld::isStatusWrite).count();
    }

    static boolean isStatusWrite(RecordedRequest request) {
        return request.subresource().equals("status") && !request.verb().equals("get");
    }

    @Override
    public void close() {
        watcher.close();
        cluster.close();
    }
}
