package dev.poolkeeper.app.daemon;

import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A small cluster and its load balancer, as emulators, and configuration files for them. */
final class TestWorld implements AutoCloseable {

    static final String LOAD_BALANCER = "kubernetes";
    static final String NAMESPACE = "shop";

    private static final int NODES = 6;
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    final Path folder;
    final ArmEmulator arm;
    final KubeEmulator kube;

    TestWorld(Path folder) throws IOException {
        this(folder, ArmSettings.DEFAULT);
    }

    TestWorld(Path folder, ArmSettings settings) throws IOException {
        this.folder = folder;
        this.arm = ArmEmulator.start(Inventory.EMPTY, Faults.NONE, settings);
        this.kube = KubeEmulator.start();
        arm.writeCaCertificate(folder.resolve("ca.pem"));
        for (int node = 1; node <= NODES; node++) {
            kube.apply("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%1$d"},
                 "status":{"addresses":[{"type":"InternalIP","address":"10.1.0.%1$d"}]}}\
                """.formatted(node));
        }
    }

    /** A local Service with its pool, which is empty, and endpoints on these nodes. */
    void service(String name, int... nodes) {
        arm.cloud().putPool(pool(name), AddressSet.empty());
        kube.apply("""
            {"apiVersion":"v1","kind":"Service","metadata":{"name":"%1$s","namespace":"shop"},
             "spec":{"type":"LoadBalancer","externalTrafficPolicy":"Local","clusterIP":"10.0.0.7","ipFamilies":["IPv4"],
                     "selector":{"app":"%1$s"},
                     "ports":[{"port":80,"protocol":"TCP","targetPort":8080}]}}\
            """.formatted(name));
        endpoints(name, nodes);
    }

    /** From now on the Service has its endpoints on these nodes. */
    void endpoints(String service, int... nodes) {
        kube.apply("""
            {"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","addressType":"IPv4",
             "metadata":{"name":"%1$s-1","namespace":"shop","labels":{"kubernetes.io/service-name":"%1$s"}},
             "ports":[{"port":8080}],"endpoints":[%2$s]}\
            """.formatted(
                        service,
                        Arrays.stream(nodes)
                                .mapToObj(node -> "{\"addresses\":[\"10.244.0.%1$d\"],\"nodeName\":\"node-%1$d\"}"
                                        .formatted(node))
                                .collect(Collectors.joining(","))));
    }

    /** The node gets the label that excludes it from load balancers. */
    void exclude(int node) {
        kube.apply("""
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-%1$d",
             "labels":{"node.kubernetes.io/exclude-from-external-load-balancers":""}},
             "status":{"addresses":[{"type":"InternalIP","address":"10.1.0.%1$d"}]}}\
            """.formatted(node));
    }

    /** Another writer takes the resource lock, for 15 minutes as the Go cloud provider does. */
    void holdLock(String holder, Instant renewed) {
        kube.apply("""
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease",
             "metadata":{"name":"aks-managed-resource-locker","namespace":"kube-system"},
             "spec":{"holderIdentity":"%1$s","leaseDurationSeconds":900,"acquireTime":"%2$s","renewTime":"%2$s"}}\
            """.formatted(holder, MICRO_TIME.format(renewed)));
    }

    static PoolKey pool(String service) {
        return PoolKey.of(LOAD_BALANCER, NAMESPACE + "-" + service);
    }

    static AddressSet addresses(int... nodes) {
        return AddressSet.of(
                Arrays.stream(nodes).mapToObj(node -> "10.1.0." + node).toArray(String[]::new));
    }

    AddressSet addresses(String service) {
        return arm.cloud().addresses(pool(service)).orElseThrow();
    }

    boolean isInPool(String service, int... nodes) {
        return addresses(service).equals(addresses(nodes));
    }

    void awaitPool(String service, int... nodes) {
        Await.until(
                "the pool of " + service + " holds " + addresses(nodes),
                () -> "it holds " + addresses(service),
                () -> isInPool(service, nodes));
    }

    List<AnsweredRequest> writes() {
        return arm.requests().stream().filter(AnsweredRequest::isWrite).toList();
    }

    /** A configuration with the emulators' addresses. */
    Path configuration(String name, String moreKeys) throws IOException {
        return configuration(name, arm.baseUri(), kube.uri(), moreKeys);
    }

    /** @param moreKeys YAML, such as {@code dryRun: true} */
    Path configuration(String name, URI armUri, URI kubeUri, String moreKeys) throws IOException {
        Files.writeString(
                folder.resolve(name + ".kubeconfig"),
                kube.kubeconfig().replace(kube.uri().toString(), kubeUri.toString()));
        return Files.writeString(folder.resolve(name + ".yaml"), """
            resourceManagerEndpoint: %1$s
            authorityHost: %1$s
            caFile: ca.pem
            subscriptionId: %2$s
            resourceGroup: %3$s
            tenantId: 00000000-0000-0000-0000-0000000000aa
            aadClientId: 00000000-0000-0000-0000-0000000000bb
            aadClientSecret: no-secret-to-anybody
            kubeconfig: %4$s.kubeconfig
            loadBalancerBackendPoolUpdateIntervalInSeconds: 1
            admin:
              port: 0
            %5$s
            """.formatted(
                        armUri, arm.subscription(), arm.resourceGroup(), name, moreKeys));
    }

    @Override
    public void close() {
        kube.close();
        arm.close();
    }
}
