package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.Term;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is reported to the listener while its own calls, or the API server's answers, take long. */
class LeadershipOrderTest {

    private final MemoryLease memory = new MemoryLease();
    private final MemoryLease.Link link = memory.new Link();
    private final FakeTime time = new FakeTime();
    private final List<String> heard = new ArrayList<>();
    private final List<Term> terms = new ArrayList<>();

    /** What the listener does in its next call of {@code started}. */
    private Runnable inStarted = () -> {};

    private Runnable inLost = () -> {};
    private boolean mayLead = true;

    private final LeadershipListener listener = new LeadershipListener() {
        @Override
        public void started(Term term) {
            terms.add(term);
            heard.add("started" + terms.size());
            Runnable now = inStarted;
            inStarted = () -> {};
            now.run();
            heard.add(term.isCurrent() ? "working" : "over");
        }

        @Override
        public void lost() {
            Runnable now = inLost;
            inLost = () -> {};
            now.run();
            heard.add("lost");
        }
    };

    private final LeaderElection election =
            new LeaderElection(link, "a", ElectionSettings.DEFAULT, time, listener, () -> mayLead);

    private void start() {
        election.start();
        time.runDue();
    }

    @ParameterizedTest
    @ValueSource(longs = {10_000, 11_000, 60_000})
    @Rule(
            id = "L15",
            says = "Leadership always has work: a term whose start is delayed until it is over is followed by another"
                    + " one. Each term's start and end are reported in order, and no term starts that is over.",
            source = "ours")
    void a_listener_that_stalls_until_its_term_is_over_gets_another_term(long stall) {
        inStarted = () -> time.advance(Duration.ofMillis(stall));

        start();
        assertThat(heard).containsExactly("started1", "over", "lost");
        time.advance(Duration.ofSeconds(30));

        assertThat(heard).containsExactly("started1", "over", "lost", "started2", "working");
        assertThat(election.isLeader()).isTrue();
        assertThat(terms.getLast().isCurrent()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {99, 100, 200, 11_000})
    void a_late_answer_and_a_stall_together_may_end_a_term_which_is_then_followed_by_another(long stall) {
        link.onWayBack = () -> {
            link.onWayBack = () -> {};
            time.advance(Duration.ofMillis(9_900));
        };
        inStarted = () -> time.advance(Duration.ofMillis(stall));

        start();
        time.advance(Duration.ofSeconds(30));

        assertThat(heard).containsExactly("started1", stall < 100 ? "working" : "over", "lost", "started2", "working");
        assertThat(terms.getLast().isCurrent()).isTrue();
    }

    @Test
    void a_term_that_ends_while_the_end_of_the_last_one_is_reported_never_starts() {
        start();
        inLost = () -> { // the next term begins and ends meanwhile
            link.cut = false;
            time.advance(Duration.ofSeconds(5));
            link.cut = true;
            time.advance(Duration.ofSeconds(20));
            link.cut = false;
        };

        link.cut = true;
        time.advance(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(5));

        assertThat(heard).containsExactly("started1", "working", "lost", "started2", "working");
        assertThat(terms.getLast().isCurrent()).isTrue();
    }

    @Test
    void a_term_that_begins_while_the_end_of_the_last_one_is_reported_starts_after_it() {
        start();
        inLost = () -> {
            link.cut = false;
            time.advance(Duration.ofSeconds(5));
        };

        link.cut = true;
        time.advance(Duration.ofSeconds(10));

        assertThat(heard).containsExactly("started1", "working", "lost", "started2", "working");
    }

    @Test
    void a_listener_that_throws_from_started_gets_another_term() {
        inStarted = () -> {
            throw new IllegalStateException("not today");
        };

        start();
        assertThat(heard).containsExactly("started1", "lost");
        assertThat(election.isLeader()).isFalse();
        time.advance(Duration.ofSeconds(3));

        assertThat(heard).containsExactly("started1", "lost", "started2", "working");
    }

    @Test
    void a_listener_that_throws_from_lost_gets_the_next_term() {
        start();
        inLost = () -> {
            throw new IllegalStateException("not today");
        };

        link.cut = true;
        time.advance(Duration.ofSeconds(10));
        link.cut = false;
        time.advance(Duration.ofSeconds(3));

        assertThat(heard).containsExactly("started1", "working", "started2", "working");
        assertThat(terms.getLast().isCurrent()).isTrue();
    }

    @Test
    void an_error_in_started_ends_neither_the_renewals_nor_what_is_reported_later() {
        inStarted = () -> {
            throw new LinkageError("no such class");
        };
        assertThatThrownBy(this::start).isInstanceOf(LinkageError.class);

        time.advance(Duration.ofMinutes(1));

        assertThat(election.isLeader()).isTrue();
        link.cut = true;
        time.advance(Duration.ofSeconds(10));
        link.cut = false;
        time.advance(Duration.ofSeconds(3));
        assertThat(heard).containsExactly("started1", "lost", "started2", "working");
    }

    @Test
    void a_store_that_throws_is_as_a_failed_request() {
        AtomicBoolean broken = new AtomicBoolean(true);
        LeaseStore store = new LeaseStore() {
            private void check() {
                if (broken.get()) {
                    throw new IllegalStateException("broken");
                }
            }

            @Override
            public Optional<Lease> get() throws LeaseStoreException {
                check();
                return link.get();
            }

            @Override
            public Lease create(Lease lease) throws LeaseStoreException {
                check();
                return link.create(lease);
            }

            @Override
            public Lease update(Lease lease) throws LeaseStoreException {
                check();
                return link.update(lease);
            }
        };
        LeaderElection other = new LeaderElection(store, "b", ElectionSettings.DEFAULT, time, listener);
        other.start();
        time.advance(Duration.ofSeconds(10));
        assertThat(heard).isEmpty();

        broken.set(false);
        time.advance(Duration.ofSeconds(3));
        assertThat(heard).containsExactly("started1", "working");
    }

    @Test
    void a_process_that_may_no_longer_lead_stops_at_once_and_renews_no_more() {
        start();
        time.advance(Duration.ofSeconds(5));

        mayLead = false;
        assertThat(election.isLeader()).isFalse();
        assertThat(terms.getFirst().isCurrent()).isFalse();
        int requests = link.requests;
        time.advance(Duration.ofMinutes(5));

        assertThat(link.requests).isEqualTo(requests);
        assertThat(heard).containsExactly("started1", "working", "lost");
        assertThat(memory.holder()).as("it expires").isEqualTo("a");
    }

    @Test
    void nothing_is_reported_after_the_release() {
        inStarted = election::release;

        start();
        time.advance(Duration.ofMinutes(1));

        assertThat(heard).containsExactly("started1", "over");
    }

    /** On threads: the expiry runs on another thread than the stalled call. */
    @Test
    void the_end_of_a_term_is_reported_after_a_call_in_progress_by_the_thread_of_that_call() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        inStarted = () -> {
            inside.countDown();
            try {
                assertThat(goesOn.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
        Thread first = Thread.ofPlatform().start(this::start);
        assertThat(inside.await(10, TimeUnit.SECONDS)).isTrue();

        time.advance(Duration.ofSeconds(11)); // the expiry, which does not wait
        assertThat(heard).containsExactly("started1");
        goesOn.countDown();
        first.join();

        assertThat(heard).containsExactly("started1", "over", "lost");
        time.advance(Duration.ofSeconds(3));
        assertThat(terms.getLast().isCurrent()).isTrue();
    }
}
