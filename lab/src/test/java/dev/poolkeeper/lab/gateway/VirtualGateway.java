package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.policies.PolicyDefaults;
import dev.poolkeeper.input.policies.PolicyManifests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;

/** A gateway whose timeouts and waits use virtual time, on real connections. Its client has no time limit. */
final class VirtualGateway implements AutoCloseable {

    final List<String> notes;
    private final RetryGateway gateway;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    VirtualGateway(FakeTime time, List<Path> manifests, BackendAddress... backends)
            throws BadInputException, IOException {
        Budgets budgets = new Budgets(time);
        RoutingTable table =
                RoutingTable.of(PolicyManifests.read(manifests, PolicyDefaults.GATEWAY), List.of(backends), budgets);
        notes = table.notes();
        gateway = RetryGateway.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                () -> table,
                new GatewayMetrics(budgets::status),
                time);
    }

    HttpResponse<String> get(String target) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + gateway.address().getPort() + target);
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        gateway.close();
        client.close();
    }
}
