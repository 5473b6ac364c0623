package dev.poolkeeper.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SystemTimeTest {

    @Test
    void a_task_runs_in_a_thread_of_its_own() throws Exception {
        try (SystemTime time = new SystemTime()) {
            CompletableFuture<Thread> ran = new CompletableFuture<>();
            time.schedule(Duration.ZERO, () -> ran.complete(Thread.currentThread()));

            assertThat(ran.get(10, TimeUnit.SECONDS).isVirtual()).isTrue();
        }
    }

    @Test
    void after_close_there_is_no_later() {
        SystemTime time = new SystemTime();
        time.close();

        time.schedule(Duration.ZERO, () -> {}).cancel();
        assertThat(time.draw()).isBetween(0.0, 1.0);
    }
}
