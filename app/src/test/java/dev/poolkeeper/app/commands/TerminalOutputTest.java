package dev.poolkeeper.app.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.HostileText;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalOutputTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private String printed(boolean isTerminal, String text) {
        PrintWriter writer = TerminalOutput.to(out, isTerminal);
        writer.println(text);
        writer.print('\u001b');
        writer.printf("%s", text);
        writer.write(text.toCharArray());
        writer.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_file_or_pipe_gets_no_escape_sequence_at_all() {
        HostileText.assertSafe(printed(false, HostileText.ALL.replace("\nFORGED", "") + "\u001b[31mred\u001b[0m"));
    }

    @Test
    void a_terminal_gets_colours_and_progress_and_no_other_sequence() {
        String text = "\u001b[32mgreen\u001b[0m\r\u001b[K\u001b]0;title\u0007\u001b[2J\r\u009b31m";

        assertThat(printed(true, text))
                .startsWith("\u001b[32mgreen\u001b[0m\r\u001b[K?]0;title??[2J??31m\n?")
                .doesNotContain("\u001b]", "\u001b[2J", "\u009b");
    }

    @Test
    void a_part_of_a_text_is_written() {
        for (boolean isTerminal : List.of(true, false)) {
            out.reset();
            PrintWriter writer = TerminalOutput.to(out, isTerminal);
            writer.write("abcdef", 2, 3);
            writer.write("uvwxyz".toCharArray(), 1, 2);
            writer.append("12345", 1, 3).flush();

            assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("cdevw23");
        }
    }

    @Test
    void a_terminal_gets_each_form_of_colour() {
        PrintWriter writer = TerminalOutput.to(out, true);
        writer.print("\u001b[m\u001b[0m\u001b[1;31m\u001b[38;5;208m");
        writer.flush();

        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("\u001b[m\u001b[0m\u001b[1;31m\u001b[38;5;208m");
    }
}
