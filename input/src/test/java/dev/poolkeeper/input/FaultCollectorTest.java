package dev.poolkeeper.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultCollectorTest {

    private final FaultCollector faults = new FaultCollector("file");

    private void add(int count) {
        IntStream.range(0, count).forEach(i -> faults.add("place " + i, "is wrong"));
    }

    @Test
    @Rule(
            id = "I21",
            says = "All faults of a file are reported at once, up to 10,000; beyond that a last line says that more"
                    + " are shown once these are fixed.",
            source = "contract, The command line")
    void every_fault_is_listed() {
        add(FaultCollector.MOST);

        assertThat(faults.faults())
                .hasSize(10_000)
                .noneMatch(fault -> fault.problem().contains("more"));
        assertThat(faults.isFull()).isFalse();
    }

    @Test
    void faults_beyond_the_limit_are_summarized_in_one_line() {
        add(FaultCollector.MOST + 1);

        assertThat(faults.isFull()).isTrue();
        assertThat(faults.faults())
                .hasSize(10_001)
                .last()
                .hasToString("file: has more faults than the 10000 shown; the others are shown once these are fixed");
    }

    @Test
    void the_same_fault_counts_once() {
        add(3);
        add(3);

        assertThat(faults.faults()).hasSize(3);
    }

    @Test
    void a_fault_is_one_line_without_control_characters() {
        assertThat(new InputFault("f", "a\nb", "found \"\u001b[2J\u202e\", must\r\nbe c"))
                .hasToString("f: a b: found \"?[2J?\", must be c");
        assertThat(new InputFault("f", "", "is empty")).hasToString("f: is empty");
    }

    @Test
    void a_long_fault_is_shortened_in_the_middle() {
        assertThat(InputFault.line("a".repeat(900) + "b".repeat(100))).isEqualTo("a".repeat(900) + "b".repeat(100));
        assertThat(InputFault.line("a".repeat(900) + "b".repeat(101)))
                .isEqualTo("a".repeat(800) + "…" + "a".repeat(99) + "b".repeat(101));
    }
}
