package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.simulate.SimulateArguments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command of {@code deploy/simulate-job.yaml}, parsed like at the start of a pod. */
class SimulateJobSharesTest {

    private static final Path MANIFEST = Path.of("..", "deploy", "simulate-job.yaml");

    @Test
    void the_pods_of_the_job_simulate_every_seed_exactly_once() throws IOException, BadInputException {
        // given
        JsonNode spec = new YAMLMapper().readTree(MANIFEST.toFile()).path("spec");
        // when
        List<SimulateArguments> shares = new ArrayList<>();
        for (int index = 0; index < spec.path("completions").asInt(); index++) {
            shares.add(share(spec.at("/template/spec/containers/0/args"), index));
        }
        // then
        assertThat(shares).hasSize(100);
        long next = 0;
        for (SimulateArguments share : shares) {
            assertThat(share.from()).isEqualTo(next);
            assertThat(share.count()).isEqualTo(10_000);
            next = share.to() + 1;
        }
        assertThat(next).isEqualTo(1_000_000);
    }

    /** Expands {@code $(…)} to the variable of that name, like the kubelet. */
    private static SimulateArguments share(JsonNode args, int index) throws BadInputException {
        List<String> words = new ArrayList<>();
        args.forEach(word -> words.add(word.asText().replace("$(JOB_COMPLETION_INDEX)", Integer.toString(index))));
        CommandLine command = LabCommands.all(Terminal.NONE).stream()
                .filter(one -> one.getCommandName().equals(words.get(0)))
                .findFirst()
                .orElseThrow();
        command.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
        return ((SimulateCommand) command.getCommand()).arguments();
    }
}
