package dev.poolkeeper.benchmarks;

import com.google.inject.Guice;
import com.google.inject.Stage;
import com.sun.management.ThreadMXBean;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.load.LoadShape;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.replay.ReplayInput;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.ReplayResult;
import dev.poolkeeper.lab.replay.ReplaySession;
import dev.poolkeeper.lab.wiring.ReplayModule;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Replays a generated cluster of the largest size that Kubernetes supports, including reading and parsing, and prints
 * time, allocations and peak heap.
 */
public final class ReplayLarge {

    private ReplayLarge() {}

    /** @param args the update model and the folder for the generated files */
    public static void main(String[] args) throws IOException, BadInputException, InterruptedException {
        Peer.require(args.length == 2, "a model and a folder", args.length);
        Generate.Written load = Generate.write(LoadShape.LARGEST, Path.of(args[1]));
        Recording recording = Recording.of(load.recording());
        ReplayOptions options = ReplayOptions.reference(
                new ReplayInput(List.of(recording), load.events(), Inventory.read(load.inventory()), Faults.NONE),
                ReplayOptions.Via.MEMORY,
                EngineSettings.REFERENCE.withModel(Peer.model(args[0])));

        PeakHeap heap = PeakHeap.watch();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocatedBefore = threads.getTotalThreadAllocatedBytes();
        long started = System.nanoTime();
        ReplayResult result = Guice.createInjector(Stage.PRODUCTION, new ReplayModule(options, event -> {}))
                .getInstance(ReplaySession.class)
                .run(played -> {});
        double seconds = (System.nanoTime() - started) / 1e9;
        double allocated = (threads.getTotalThreadAllocatedBytes() - allocatedBefore) / 1e6;

        int pools = result.pools().size();
        Peer.require(pools == LoadShape.LARGEST.services(), "a pool for every Service", pools);
        Peer.require(result.isExplained(), "every pool converged", "pools apart");
        print(
                "%,d watch events, %,d Services, %,d calls to the cloud",
                load.events(), pools, result.calls().size());
        print("time             %.1f s", seconds);
        print("allocated        %,.0f MB", allocated);
        print("peak heap, used  %,.0f MB, of which %,.0f MB outlived a collection", heap.used(), heap.live());
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
