package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import dev.poolkeeper.app.TestLog;
import dev.poolkeeper.app.commands.CommandLineRun;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class SimulateCommandTest {

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private final CountDownLatch letGo = new CountDownLatch(1);

    @AfterEach
    void restoreLog() {
        letGo.countDown();
        TestLog.restore();
    }

    private int run(String... args) {
        return LabCommands.execute(
                args,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void seeds_that_hold_end_with_counts_and_0() {
        int code = run("simulate", "--seeds", "1..3", "--jobs", "1", "--failures", folder.toString());
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("6 runs of 10 simulated minutes")
                .contains("every invariant held")
                .contains("met throttled_writes");
    }

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a wait for another thread never ends
    void a_blocked_log_appender_does_not_delay_the_simulation() throws Exception {
        // given
        CountDownLatch writing = new CountDownLatch(1);
        logInfoTo(
                new AppenderBase<>() { // lets in one thread at a time
                    @Override
                    protected void append(ILoggingEvent event) {
                        writing.countDown();
                        try {
                            letGo.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                });
        Thread.ofPlatform()
                .daemon()
                .start(() -> LoggerFactory.getLogger("other").info("a line"));
        writing.await();
        // when
        int code = run("simulate", "--seeds", "1..3", "--jobs", "1", "--failures", folder.toString());
        // then
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
    }

    private static void logInfoTo(Appender<ILoggingEvent> appender) {
        TestLog.context().reset();
        appender.setContext(TestLog.context());
        appender.start();
        ch.qos.logback.classic.Logger root = TestLog.context().getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.INFO);
        root.addAppender(appender);
    }

    @Test
    void one_run_can_be_traced_line_by_line() {
        int code = run("simulate", "--seeds", "7..7", "--mode", "safety", "--timeline", "--steps", "0,1,2");
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("leads").contains("every invariant held");
    }

    @Test
    void all_bad_arguments_are_reported_at_once() {
        int code = run(
                "simulate", "--seeds", "9..3", "--mode", "chaos", "--jobs", "0", "--minutes", "9", "--output", "xml");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--seeds")
                .contains("--mode")
                .contains("--jobs")
                .contains("--minutes")
                .contains("--output");
    }

    @Test
    void a_step_outside_the_schedule_is_refused() {
        CommandLineRun run = LabRun.of("simulate", "--seeds", "7..7", "--mode", "safety", "--steps", "0,999999");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.errLines())
                .singleElement()
                .asString()
                .startsWith("poolkeeper: --steps: found 999999, must be the number of a step from 0 to ");
    }
}
