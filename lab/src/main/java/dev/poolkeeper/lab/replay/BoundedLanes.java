package dev.poolkeeper.lab.replay;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs at most so many lanes at once, as the daemon's threads do: further ones wait in order. For one thread. */
public final class BoundedLanes implements Executor {

    private final Executor lanes;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /** @param count how many run at once */
    public BoundedLanes(Executor lanes, int count) {
        this.lanes = lanes;
        this.free = count;
    }

    @Override
    public void execute(Runnable lane) {
        if (free == 0) {
            waiting.add(lane);
            return;
        }
        free--;
        lanes.execute(() -> {
            try {
                lane.run();
            } finally {
                free++;
                Runnable next = waiting.poll();
                if (next != null) {
                    execute(next);
                }
            }
        });
    }
}
