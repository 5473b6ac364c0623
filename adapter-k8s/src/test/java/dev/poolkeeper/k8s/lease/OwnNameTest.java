package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.ResourceLock.Hold;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A Lease of the resource lock that names this process, whatever happened to it: never "another writer". */
class OwnNameTest {

    private static final String OURS = "poolkeeper_1";

    private final MemoryLease memory = new MemoryLease();
    private final MemoryLease.Link link = memory.new Link();
    private final FakeTime time = new FakeTime();
    private final LeaseResourceLock lock = new LeaseResourceLock(link, OURS, ResourceLockSettings.DEFAULT, time);

    @AfterEach
    void no_other_writer_was_named() {
        assertThat(lock.holder()).isEmpty();
        assertThat(lock.status().isHeldByAnother()).isFalse();
    }

    private void createdAgain(String holder) {
        Lease old = memory.get().orElseThrow();
        memory.delete();
        memory.write(old.edit()
                .editSpec()
                .withHolderIdentity(holder)
                .withRenewTime(old.getSpec().getRenewTime().plusNanos(1_000))
                .endSpec()
                .build());
    }

    @Test
    @Rule(
            id = "L18",
            says = "This process is never called another writer: not while its own hold ends, nor if the Lease was"
                    + " edited, or deleted and created again, with its name.",
            source = "ours")
    void a_lease_that_was_created_again_with_our_name_is_waited_out_and_names_no_other_writer() {
        lock.tryAcquire().orElseThrow().close();
        createdAgain(OURS);

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.holder()).isEmpty();
        assertThat(lock.status().holding()).isEmpty();
        assertThat(lock.status().availableAt()).contains(time.instant().plusSeconds(900));
        time.advance(Duration.ofSeconds(900));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_lease_that_is_created_again_while_we_hold_it_is_lost_and_acquired_again() {
        Hold hold = lock.tryAcquire().orElseThrow();
        createdAgain(null);

        time.advance(Duration.ofSeconds(10));
        assertThat(hold.isHeld()).isFalse();
        assertThat(lock.holder()).isEmpty();
        hold.close();

        time.advance(Duration.ofSeconds(5));
        assertThat(lock.tryAcquire()).isPresent();
    }

    @Test
    void a_hold_that_is_still_being_released_names_no_other_writer() {
        Hold hold = lock.tryAcquire().orElseThrow();
        time.advance(Duration.ofSeconds(20));
        link.cut = true;
        hold.close();

        assertThat(lock.tryAcquire()).isEmpty();
        assertThat(lock.holder()).isEmpty();
        link.cut = false;
        time.advance(Duration.ofSeconds(2));
        assertThat(memory.holder()).isNull();
    }

    @Test
    @Rule(
            id = "L19",
            says = "A release of the resource lock that fails is retried until it succeeds or another writer has the"
                    + " lock, also after it has expired.",
            source = "ours")
    void a_release_is_retried_after_a_long_outage_of_the_api_server() {
        Hold hold = lock.tryAcquire().orElseThrow();
        link.cut = true;
        hold.close();
        time.advance(Duration.ofMinutes(10));
        assertThat(memory.holder()).isEqualTo(OURS);

        link.cut = false;
        time.advance(Duration.ofSeconds(2));

        assertThat(memory.holder()).as("no one has to wait for the expiry").isNull();
        int requests = link.requests;
        time.advance(Duration.ofMinutes(10));
        assertThat(link.requests).isEqualTo(requests);
    }

    @Test
    void a_retried_release_takes_nothing_from_another_holder() {
        Hold hold = lock.tryAcquire().orElseThrow();
        link.cut = true;
        hold.close();
        time.advance(Duration.ofMinutes(2));
        memory.write(LeaseEdits.taken(memory.get().orElseThrow(), "other", Duration.ofSeconds(60), time.instant()));

        link.cut = false;
        time.advance(Duration.ofMinutes(1));

        assertThat(memory.holder()).isEqualTo("other");
    }

    @Test
    void a_retried_release_takes_nothing_from_our_next_hold() {
        Hold hold = lock.tryAcquire().orElseThrow();
        link.cut = true;
        hold.close();
        time.advance(Duration.ofSeconds(71)); // expired; the next retry is a second away
        link.cut = false;
        Hold next = lock.tryAcquire().orElseThrow();

        time.advance(Duration.ofSeconds(30));

        assertThat(next.isHeld()).isTrue();
        assertThat(memory.holder()).isEqualTo(OURS);
    }

    /** Otherwise an editor that always comes first would have us ask as fast as the API server answers. */
    @Test
    void renewals_that_conflict_again_and_again_wait() {
        assertThat(lock.tryAcquire()).isPresent();
        int[] edits = {0};
        link.beforeUpdate = () ->
                memory.write(LeaseEdits.annotated(memory.get().orElseThrow(), "edited", Integer.toString(edits[0]++)));
        int before = link.requests;

        time.advance(Duration.ofSeconds(60));

        assertThat(link.requests - before).isLessThan(70);
    }
}
