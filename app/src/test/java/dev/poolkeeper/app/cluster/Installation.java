package dev.poolkeeper.app.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.app.Main;
import dev.poolkeeper.app.daemon.DaemonProcess;
import dev.poolkeeper.app.install.Chart;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The chart, applied to a real cluster. The daemon runs as processes on this machine instead of in pods: with the
 * chart's configuration and service account, and with an ARM emulator instead of Azure.
 */
final class Installation {

    private final Path folder;
    private final Path configuration;

    /**
     * @param chart the folder of the chart
     * @param moreConfig YAML of further keys below {@code config}, each line indented by two
     */
    Installation(RealCluster cluster, Path chart, ArmEmulator arm, Path folder, String moreConfig) throws IOException {
        this.folder = folder;
        String name = cluster.namespace();
        String names =
                LoadBalancers.NAMES.stream().map(one -> "{name: " + one + "}").collect(Collectors.joining(", "));
        Path values = Files.writeString(folder.resolve("values.yaml"), """
            replicaCount: 0
            fullnameOverride: %1$s
            config:
              subscriptionId: %2$s
              resourceGroup: %3$s
              resourceManagerEndpoint: %4$s
              authorityHost: %4$s
              caFile: ca.pem
              tenantId: 00000000-0000-0000-0000-0000000000aa
              aadClientId: 00000000-0000-0000-0000-0000000000bb
              aadClientSecretFile: secret
              multipleStandardLoadBalancerConfigurations: [%6$s]
              leaderElection: {leaseNamespace: %1$s}
              resourceLock: {leaseNamespace: %1$s}
            %5$s
            """.formatted(
                        name, arm.subscription(), arm.resourceGroup(), arm.baseUri(), moreConfig, names));
        List<JsonNode> objects = Chart.objects(Chart.text(chart, values, name));
        objects.forEach(cluster::apply);
        arm.writeCaCertificate(folder.resolve("ca.pem"));
        Files.writeString(folder.resolve("secret"), "no-secret-to-anybody");
        Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfigOf(name));
        this.configuration = Files.writeString(
                folder.resolve("poolkeeper.yaml"),
                Chart.the(objects, "ConfigMap")
                                .at("/data/poolkeeper.yaml")
                                .asText()
                                .replace("address: 0.0.0.0", "address: 127.0.0.1")
                                .replace("port: 8095", "port: 0")
                        + "\nkubeconfig: kubeconfig\n");
    }

    /** One more replica. */
    DaemonProcess start(String replica) throws IOException {
        return DaemonProcess.start(Main.class, Map.of(), folder, replica, "--config", configuration.toString());
    }
}
