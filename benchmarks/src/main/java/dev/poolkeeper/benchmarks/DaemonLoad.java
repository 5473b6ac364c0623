package dev.poolkeeper.benchmarks;

import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.kube.KubeEmulator;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The CPU usage of a daemon: while it brings all pools up to date, while nothing happens, and while endpoints change as
 * often as ARM's quota allows pools to be written.
 */
final class DaemonLoad {

    private static final Duration SPAN = Duration.ofSeconds(60);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Azure accepts 1,000 writes in five minutes. */
    private static final int CHANGES_A_SECOND = 3;

    private final KubeEmulator kube;
    private final ArmEmulator arm;
    private final LoadShape shape;
    private final Process process;

    DaemonLoad(KubeEmulator kube, ArmEmulator arm, LoadShape shape, Process process) {
        this.kube = kube;
        this.arm = arm;
        this.shape = shape;
        this.process = process;
    }

    void measure() throws InterruptedException {
        long began = System.nanoTime();
        Duration before = processor();
        while (!shape.pools().stream().allMatch(this::isUpToDate)) {
            Peer.require(System.nanoTime() - began < PATIENCE.toNanos(), "all pools written", "some that are not");
            TimeUnit.SECONDS.sleep(1);
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        DaemonLarge.print(
                "all pools up to date after %.0f s, with %.1f s of processor time",
                seconds, processor().minus(before).toMillis() / 1e3);
        DaemonLarge.print("at rest: %.1f %% of a processor", share(0));
        DaemonLarge.print(
                "with %d changes of endpoints a second: %.1f %% of a processor",
                CHANGES_A_SECOND, share(CHANGES_A_SECOND));
    }

    private double share(int changesASecond) throws InterruptedException {
        Duration before = processor();
        long began = System.nanoTime();
        for (int second = 0; second < SPAN.toSeconds(); second++) {
            for (int i = 0; i < changesASecond; i++) {
                kube.apply(DaemonLarge.slice(shape, DaemonLarge.CHANGES + second * changesASecond + i));
            }
            TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(second + 1L) - (System.nanoTime() - began));
        }
        return 100.0 * processor().minus(before).toNanos() / (System.nanoTime() - began);
    }

    private Duration processor() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private boolean isUpToDate(PoolKey pool) {
        return arm.cloud().addresses(pool).filter(held -> !held.isEmpty()).isPresent(); // it was empty initially
    }
}
