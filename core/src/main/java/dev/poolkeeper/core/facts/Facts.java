package dev.poolkeeper.core.facts;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Delivers facts to their subscribers, one at a time and in the order of publication, to each subscriber in turn. A
 * fact published while another thread delivers is delivered by that thread. Thread-safe.
 */
public final class Facts {

    private final List<Consumer<Fact>> subscribers;
    private final Queue<Fact> published = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param subscribers must not throw nor block */
    public Facts(List<Consumer<Fact>> subscribers) {
        this.subscribers = List.copyOf(subscribers);
    }

    /**
     * For threads that hold a lock or belong to others: delivered with the next {@link #publish} or {@link #deliver}.
     */
    public void append(Fact fact) {
        published.add(fact);
    }

    /** Publishes a fact and delivers what was published. The caller holds no lock of the engine. */
    public void publish(Fact fact) {
        append(fact);
        deliver();
    }

    /** Delivers what was published, unless another thread, or this one further up, does so. */
    public void deliver() {
        int seen = waiting.incrementAndGet();
        if (seen > 1) {
            return;
        }
        boolean ended = false;
        try {
            while (seen > 0) {
                for (Fact fact = published.poll(); fact != null; fact = published.poll()) {
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
