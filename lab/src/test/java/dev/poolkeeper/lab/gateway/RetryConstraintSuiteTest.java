package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cases for {@code retryConstraint} that any gateway can run, run against ours. */
@Timeout(120)
class RetryConstraintSuiteTest {

    private static final Path SUITE = Path.of("../examples/retry-constraint");
    private static final Pattern SERVICE = Pattern.compile("backendRefs: \\[\\{name: ([-a-z]+),");

    private final FakeTime time = new FakeTime();
    private final EchoBackend echo = new EchoBackend(time);
    private final TestBackend backend = new TestBackend();

    @TempDir
    private Path folder;

    RetryConstraintSuiteTest() throws Exception {}

    @AfterEach
    void close() {
        backend.close();
    }

    /** @param statuses those that the client may see, separated by | */
    private record Case(int line, Duration before, int times, String target, String statuses, String why) {

        static Case of(int line, String text) {
            String[] fields = text.split("\t", -1);
            return new Case(
                    line,
                    Duration.ofSeconds(Integer.parseInt(fields[0])),
                    Integer.parseInt(fields[1]),
                    fields[2] + "?" + fields[3],
                    fields[4],
                    fields[5]);
        }

        boolean allows(int status) {
            return List.of(statuses.split("\\|")).contains(Integer.toString(status));
        }
    }

    private static List<Case> cases() throws IOException {
        List<String> lines = Files.readAllLines(SUITE.resolve("cases.tsv"));
        List<Case> cases = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).isEmpty() && !lines.get(i).startsWith("#")) {
                cases.add(Case.of(i + 1, lines.get(i)));
            }
        }
        return cases;
    }

    /** Each response that differs, one line each. */
    private List<String> differences(String manifests) throws Exception {
        backend.answersAll(number -> echo);
        Path file = Files.writeString(folder.resolve("manifests.yaml"), manifests);
        BackendAddress[] services = SERVICE.matcher(manifests)
                .results()
                .map(found -> found.group(1))
                .distinct()
                .map(backend::as)
                .toArray(BackendAddress[]::new);
        List<String> differences = new ArrayList<>();
        try (VirtualGateway gateway = new VirtualGateway(time, List.of(file), services)) {
            for (Case each : cases()) {
                time.advance(each.before());
                for (int i = 1; i <= each.times(); i++) {
                    int seen = gateway.get(each.target() + "&uuid=" + each.line() + "-" + i)
                            .statusCode();
                    if (!each.allows(seen)) {
                        differences.add("line %d, request %d: found %d, must be %s: %s"
                                .formatted(each.line(), i, seen, each.statuses(), each.why()));
                    }
                }
            }
        }
        return differences;
    }

    @Test
    @Rule(
            id = "P103",
            says = "retry-gateway passes the cases for retryConstraint in examples/retry-constraint, which any gateway"
                    + " can run: floor, percentage, each retry counts, 503 over the budget, one budget per backend,"
                    + " interval, conflict.",
            source = "BackendTrafficPolicy; GEP-3388")
    void the_gateway_passes_every_case() throws Exception {
        assertThat(differences(Files.readString(SUITE.resolve("manifests.yaml"))))
                .isEmpty();
    }

    @Test
    void a_gateway_without_budgets_does_not_pass() throws Exception {
        String routes = Stream.of(
                        Files.readString(SUITE.resolve("manifests.yaml")).split("(?m)^---$"))
                .filter(document -> !document.contains("XBackendTrafficPolicy"))
                .findFirst()
                .orElseThrow();
        assertThat(differences(routes)).hasSize(1 + 2 + 5 + 1 + 1 + 1 + 1 + 1 + 1);
    }
}
