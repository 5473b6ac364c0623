package dev.poolkeeper.app.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Kubernetes accepts the simulation Job, and its pods are as restricted as the daemon's. */
class SimulateJobTest {

    private static final Path MANIFEST = Path.of("..", "deploy", "simulate-job.yaml");

    @Test
    void the_simulation_job_is_valid() throws IOException {
        JsonNode job = Chart.objects(Files.readString(MANIFEST)).get(0);
        assertThat(KubernetesSchemas.fault(job)).isEmpty();
        assertThat(job.at("/spec/completionMode").asText()).isEqualTo("Indexed");
        assertThat(job.at("/spec/backoffLimitPerIndex").asInt(-1)).isZero();
        JsonNode pod = job.at("/spec/template/spec");
        assertThat(pod.path("restartPolicy").asText()).isEqualTo("Never");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem")
                        .asBoolean())
                .isTrue();
    }
}
