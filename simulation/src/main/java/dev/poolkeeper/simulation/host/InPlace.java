package dev.poolkeeper.simulation.host;

import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Runs what Reactor is given at once, in the calling thread; it knows no delays, which would pass by the real clock.
 */
final class InPlace {

    /** For those that take a scheduler. */
    static final Scheduler SCHEDULER = Schedulers.immediate();

    private InPlace() {}

    /** From now on Reactor starts no thread of its own in this JVM. */
    static void everywhere() {
        Schedulers.setFactory(new Schedulers.Factory() {
            @Override
            public Scheduler newBoundedElastic(
                    int threadCap, int queuedTaskCap, java.util.concurrent.ThreadFactory threads, int ttlSeconds) {
                return new Undelayed();
            }

            @Override
            public Scheduler newParallel(int parallelism, java.util.concurrent.ThreadFactory threads) {
                return new Undelayed();
            }

            @Override
            public Scheduler newSingle(java.util.concurrent.ThreadFactory threads) {
                return new Undelayed();
            }
        });
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
