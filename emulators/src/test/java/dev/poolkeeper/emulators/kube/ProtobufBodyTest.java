package dev.poolkeeper.emulators.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On bytes that kubectl 1.32 sent. */
class ProtobufBodyTest {

    /** {@code kubectl auth can-i list services -n shop} */
    private static final byte[] MAY_I = HexFormat.of()
            .parseHex("6b3873000a320a17617574686f72697a6174696f6e2e6b38732e696f2f7631121753656c665375626a65637441"
                    + "6363657373526576696577123e0a100a0012001a0022002a0032003800420012200a1e0a0473686f7012046c"
                    + "6973741a0022002a08736572766963657332003a001a08080012001a0020001a002200");

    /** {@code kubectl create namespace x} */
    private static final byte[] NAMESPACE = HexFormat.of()
            .parseHex("6b3873000a0f0a02763112094e616d65737061636512190a110a017812001a0022002a0032003800420012001a"
                    + "020a001a002200");

    @RegisterExtension
    final KubeEmulatorExtension kube = new KubeEmulatorExtension();

    @Test
    void a_request_body_is_decoded() throws Exception {
        var spec = ProtobufBody.read(MAY_I).at("/spec/resourceAttributes");

        assertThat(spec.path("namespace").asText()).isEqualTo("shop");
        assertThat(spec.path("verb").asText()).isEqualTo("list");
        assertThat(spec.path("resource").asText()).isEqualTo("services");
    }

    @Test
    void a_namespace_is_created() throws Exception {
        KubeClient client = new KubeClient(kube.emulator());

        assertThat(client.post("/api/v1/namespaces", ProtobufBody.CONTENT_TYPE, NAMESPACE)
                        .statusCode())
                .isEqualTo(201);
        assertThat(client.get("/api/v1/namespaces/x").at("/status/phase").asText())
                .isEqualTo("Active");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 5, 10, 60, 100})
    void a_truncated_body_is_a_bad_request(int length) {
        byte[] cut = Arrays.copyOf(MAY_I, length);

        assertThatThrownBy(() -> ProtobufBody.read(cut)).isInstanceOf(ApiException.class);
    }

    @Test
    void other_kinds_are_refused_with_a_hint_to_use_json() {
        byte[] other = new String(NAMESPACE, StandardCharsets.ISO_8859_1)
                .replace("Namespace", "Something")
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> ProtobufBody.read(other)).hasMessageContaining("send JSON");
    }
}
