package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens when a thread ends in an error. */
class CrashHandlerTest {

    /** A process in which one thread fails while another continues. */
    static final class Crashing {
        private Crashing() {}

        public static void main(String[] args) throws InterruptedException {
            CrashHandler.install(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
            Thread.ofPlatform().name("poolkeeper-ticks").start(() -> {
                throw new IllegalStateException("lost count");
            });
            new CountDownLatch(1).await();
        }
    }

    @Test
    void an_error_in_a_thread_is_logged_and_ends_the_process() throws Exception {
        StringWriter err = new StringWriter();
        CountDownLatch ended = new CountDownLatch(1);
        Thread thread = Thread.ofPlatform().name("poolkeeper-ticks").unstarted(() -> {
            throw new IllegalStateException("lost count");
        });
        thread.setUncaughtExceptionHandler(new CrashHandler(new PrintWriter(err, true), ended::countDown));

        thread.start();

        assertThat(ended.await(Await.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(err.toString())
                .isEqualTo("poolkeeper: thread poolkeeper-ticks ended with an unexpected error"
                        + " (java.lang.IllegalStateException: lost count); the process ends, and another replica takes"
                        + " over" + System.lineSeparator());
    }

    @Test
    void the_process_ends_although_other_threads_still_run(@TempDir Path folder) throws Exception {
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Crashing.class.getName()))
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(Await.LONG.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(err).content().contains("thread poolkeeper-ticks ended with an unexpected error", "lost count");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void the_line_is_written_before_the_process_ends() {
        StringWriter err = new StringWriter();
        List<String> atTheEnd = new ArrayList<>();
        PrintWriter buffered = new PrintWriter(new BufferedWriter(err));
        new CrashHandler(buffered, () -> atTheEnd.add(err.toString()))
                .uncaughtException(Thread.currentThread(), new StackOverflowError());
        assertThat(atTheEnd).singleElement().asString().contains("java.lang.StackOverflowError");
    }

    @Test
    void the_process_ends_even_if_nothing_can_be_written() {
        List<String> ends = new ArrayList<>();
        PrintWriter full = new PrintWriter(Writer.nullWriter()) {
            @Override
            public void println(String line) {
                throw new OutOfMemoryError("Java heap space");
            }
        };
        CrashHandler handler = new CrashHandler(full, () -> ends.add("end"));
        assertThatThrownBy(() -> handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError()))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(ends).containsExactly("end");
    }
}
