package dev.poolkeeper.k8s.lease;

import dev.poolkeeper.ports.Term;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the current term to the listener: one call at a time, {@code started} before {@code lost} of each term, and
 * no start of a term that is over. A change that occurs during a call is reported after it, by the same thread. Never
 * waits for a call in progress. Thread-safe.
 */
final class LeadershipNotices {

    private static final Logger log = LoggerFactory.getLogger(LeadershipNotices.class);

    private final AtomicReference<@Nullable LeadershipTerm> term;
    private final LeadershipListener listener;

    /** Changes not yet reported; the thread that raises it from zero reports them all. */
    private final AtomicInteger changes = new AtomicInteger();

    /** The term that the listener believes in; accessed only by the reporting thread. */
    private @Nullable LeadershipTerm reported;

    /** @param term the current term; null for none */
    LeadershipNotices(AtomicReference<@Nullable LeadershipTerm> term, LeadershipListener listener) {
        this.term = term;
        this.listener = listener;
    }

    /** To be called after each change of the term. */
    void report() {
        if (changes.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        try {
            do {
                reportTerm();
                seen = changes.addAndGet(-seen);
            } while (seen > 0);
        } finally {
            if (seen > 0) { // an Error: the next change is reported all the same
                changes.set(0);
            }
        }
    }

    private void reportTerm() {
        LeadershipTerm now = term.get();
        if (reported != null && reported != now) {
            reported = null;
            call("lost", listener::lost);
        }
        if (now == null || reported == now || !now.isCurrent()) {
            return;
        }
        reported = now;
        boolean begun = call("started", () -> listener.started(Term.during(now::isCurrent)));
        if (!begun) {
            now.end();
            if (term.compareAndSet(now, null)) { // the next attempt begins another term
                changes.incrementAndGet();
            }
        }
    }

    /** False if it threw. */
    private static boolean call(String name, Runnable listener) {
        try {
            listener.run();
            return true;
        } catch (RuntimeException e) {
            log.atError().setCause(e).addKeyValue("call", name).log("A listener of leader election threw an exception");
            return false;
        }
    }
}
