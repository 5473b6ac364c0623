package dev.poolkeeper.simulation.host;

import java.util.concurrent.ThreadFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * While open, Reactor runs tasks at once on the calling thread and starts no threads in this JVM; it rejects delays,
 * which would use the real clock. Must be open while a simulated daemon lives.
 */
public final class InPlace implements AutoCloseable {

    /** For APIs that take a scheduler. */
    static final Scheduler SCHEDULER = Schedulers.immediate();

    private final Schedulers.Snapshot before;

    private InPlace(Schedulers.Snapshot before) {
        this.before = before;
    }

    public static InPlace open() {
        return new InPlace(Schedulers.setFactoryWithSnapshot(new Schedulers.Factory() {
            @Override
            public Scheduler newBoundedElastic(
                    int threadCap, int queuedTaskCap, ThreadFactory threads, int ttlSeconds) {
                return new Undelayed();
            }

            @Override
            public Scheduler newParallel(int parallelism, ThreadFactory threads) {
                return new Undelayed();
            }

            @Override
            public Scheduler newSingle(ThreadFactory threads) {
                return new Undelayed();
            }
        }));
    }

    /** Restores Reactor's schedulers. */
    @Override
    public void close() {
        Schedulers.resetFrom(before);
    }

    private static final class Undelayed implements Scheduler {

        @Override
        public Disposable schedule(Runnable task) {
            task.run();
            return Disposables.disposed();
        }

        @Override
        public Worker createWorker() {
            return new Worker() {
                @Override
                public Disposable schedule(Runnable task) {
                    task.run();
                    return Disposables.disposed();
                }

                @Override
                public void dispose() {}
            };
        }
    }
}
