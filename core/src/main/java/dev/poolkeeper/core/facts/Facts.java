package dev.poolkeeper.core.facts;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Delivers facts to their subscribers, one at a time and in the order in which they were appended, to each subscriber
 * in turn. A fact appended while another thread delivers is delivered by that thread. Thread-safe.
 */
public final class Facts {

    private final List<Consumer<Fact>> subscribers;
    private final Queue<Fact> appended = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param subscribers must not throw nor block */
    public Facts(List<Consumer<Fact>> subscribers) {
        this.subscribers = List.copyOf(subscribers);
    }

    /** The next {@link #deliver} delivers it. */
    public void append(Fact fact) {
        appended.add(fact);
    }

    /**
     * Delivers what was appended, unless another thread, or this one further up, does so. The caller holds no lock of
     * the engine, the view or the embedder.
     */
    public void deliver() {
        int seen = waiting.incrementAndGet();
        if (seen > 1) {
            return;
        }
        boolean ended = false;
        try {
            while (seen > 0) {
                for (Fact fact = appended.poll(); fact != null; fact = appended.poll()) {
                    for (Consumer<Fact> subscriber : subscribers) {
                        subscriber.accept(fact);
                    }
                }
                seen = waiting.addAndGet(-seen);
            }
            ended = true;
        } finally {
            if (!ended) { // an error of the JVM: the next call goes on
                waiting.set(0);
            }
        }
    }
}
