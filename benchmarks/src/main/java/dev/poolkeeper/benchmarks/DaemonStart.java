package dev.poolkeeper.benchmarks;

import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the daemon on a small cluster with both emulators, lets it update the pools, and prints its time until ready
 * and its memory; several times with the same emulators, which answer slowly at first. {@code deploy/image} makes and
 * checks its cache with it.
 */
public final class DaemonStart {

    private DaemonStart() {}

    /**
     * @param args a folder for generated files, how often to start the daemon, for how many seconds it runs once it is
     *     ready, and the command that starts a JVM with the daemon's class path
     */
    public static void main(String[] args) throws IOException, BadInputException, InterruptedException {
        Peer.require(args.length > 3, "a folder, starts, seconds, and the command of a JVM", args.length);
        int starts = Integer.parseInt(args[1]);
        try (EmulatedCluster cluster = EmulatedCluster.start(LoadShape.DEFAULTS, Path.of(args[0]))) {
            Path configuration = cluster.configuration("");
            for (int i = 0; i < starts; i++) {
                List<String> java = Arrays.asList(args).subList(3, args.length);
                try (StartedDaemon daemon = StartedDaemon.start(java, configuration)) {
                    TimeUnit.SECONDS.sleep(Long.parseLong(args[2]));
                    DaemonLarge.print(
                            "ready %.2f s after the start of the JVM, %s resident after %s s",
                            daemon.readySeconds(), daemon.memory("VmRSS"), args[2]);
                }
            }
        }
    }
}
