package dev.poolkeeper.emulators.arm;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.emulators.arm.ArmClient.Answer;
import dev.poolkeeper.emulators.arm.RecordedSession.Interaction;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The emulator responds like real Azure to the same requests in the same order. The recordings are
 * {@code pkg/azclient/backendaddresspoolclient/testdata} and {@code …/loadbalancerclient/testdata} of
 * kubernetes-sigs/cloud-provider-azure (Apache-2.0).
 */
class FidelityTest {

    private final FakeTime clock = new FakeTime();

    /** The other recorded calls are about the resource group and a public IP address. */
    @ParameterizedTest
    @CsvSource({
        "backend-address-pool-session.yaml, aks-cit-BackendAddressPool, 15",
        "load-balancer-session.yaml, aks-cit-LoadBalancer, 11"
    })
    void every_recorded_call_on_load_balancers_and_pools_gets_the_same_response(String file, String group, int calls)
            throws Exception {
        ArmSettings settings = ArmSettings.DEFAULT
                .withResourceGroup(group)
                .withLocation("eastus")
                .withOperationDuration(ofSeconds(5));
        FakeCloud cloud = new FakeCloud(clock, Inventory.EMPTY, Faults.NONE, call -> {});
        List<String> differences = new ArrayList<>();
        int compared = 0;
        try (ArmEmulator arm = ArmEmulator.start(cloud, settings)) {
            ArmClient client = new ArmClient(arm);
            String operation = "";
            for (Interaction recorded : RecordedSession.read(file)) {
                if (recorded.method().matches("PUT|DELETE")) {
                    operation = "";
                }
                boolean poll = recorded.url().contains("/operations/") && !operation.isEmpty();
                if (!poll && !recorded.url().contains("/loadBalancers")) {
                    continue;
                }
                clock.advance(ofSeconds(poll ? 5 : 0));
                Answer answer =
                        ask(client, recorded, poll ? operation : recorded.url().replaceAll("^https://[^/]*", ""));
                Fidelity.differences(recorded, answer.response())
                        .forEach(line -> differences.add(recorded + ": " + line));
                compared++;
                if (answer.header("Azure-AsyncOperation") != null) {
                    operation = answer.header("Azure-AsyncOperation");
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).isEqualTo(calls);
    }

    private static Answer ask(ArmClient client, Interaction recorded, String url) throws Exception {
        String ifMatch = recorded.headers().get("If-Match");
        return ifMatch == null
                ? client.call(recorded.method(), url, recorded.body())
                : client.call(recorded.method(), url, recorded.body(), "If-Match", ifMatch);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"provisioningState\":\"Updating\"|\"provisioningState\":\"Succeeded\"",
                "\"loadBalancerBackendAddresses\":[]|\"loadBalancerBackendAddresses\":null",
                "\"loadBalancerBackendAddresses\":[]|\"loadBalancerBackendAddresses\":[],\"more\":1",
                ",\"type\":\"Microsoft.Network/loadBalancers/backendAddressPools\"|''"
            })
    void a_field_that_differs_is_detected(String was, String is) throws Exception {
        Interaction put =
                RecordedSession.read("backend-address-pool-session.yaml").get(6);
        Interaction other = new Interaction(
                put.id(),
                put.method(),
                put.url(),
                put.headers(),
                put.body(),
                put.status(),
                put.answered(),
                put.answer().replace(was, is));
        assertThat(other.answer()).isNotEqualTo(put.answer());

        assertThat(Fidelity.differences(other, RecordedAnswer.of(put))).hasSize(1);
        assertThat(Fidelity.differences(put, RecordedAnswer.of(put))).isEmpty();
    }
}
