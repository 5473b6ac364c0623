package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SystemTimeTest {

    @Test
    void a_task_runs_in_its_own_thread() throws Exception {
        try (SystemTime time = new SystemTime()) {
            CompletableFuture<Thread> ran = new CompletableFuture<>();
            time.schedule(Duration.ZERO, () -> ran.complete(Thread.currentThread()));
            assertThat(ran.get().isVirtual()).isTrue();
        }
    }

    @Test
    void after_close_no_task_runs_but_waits_still_end() {
        SystemTime time = new SystemTime();
        time.close();
        time.schedule(Duration.ZERO, () -> {}).cancel();
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> time.await(new CompletableFuture<>(), Duration.ZERO));
    }

    @Test
    void draws_are_from_0_to_below_1() {
        try (SystemTime time = new SystemTime()) {
            assertThat(time.draw()).isGreaterThanOrEqualTo(0).isLessThan(1);
        }
    }
}
