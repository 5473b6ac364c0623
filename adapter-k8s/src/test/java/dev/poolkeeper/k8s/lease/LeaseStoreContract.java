package dev.poolkeeper.k8s.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The contract of every {@link LeaseStore}, so that election and lock behave the same on all of them. */
interface LeaseStoreContract {

    /** The store under test; there is no Lease yet. */
    LeaseStore store();

    /** Another client deletes the Lease. */
    void delete();

    private static Lease lease(String holder) {
        return LeaseEdits.taken(null, holder, Duration.ofSeconds(15), FakeTime.START);
    }

    private static void assertConflict(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LeaseStoreException.class,
                        e -> assertThat(e.isConflict()).isTrue());
    }

    @Test
    default void a_lease_that_does_not_exist_is_empty() throws LeaseStoreException {
        assertThat(store().get()).isEmpty();
    }

    @Test
    default void a_created_lease_can_be_read_and_updated() throws LeaseStoreException {
        Lease created = store().create(lease("a"));
        store().update(LeaseEdits.released(created, FakeTime.START));

        assertThat(store().get())
                .hasValueSatisfying(
                        now -> assertThat(now.getSpec().getHolderIdentity()).isNull());
    }

    @Test
    default void creating_a_lease_that_exists_is_a_conflict() throws LeaseStoreException {
        store().create(lease("a"));

        assertConflict(() -> store().create(lease("b")));
    }

    @Test
    default void updating_a_lease_that_changed_is_a_conflict() throws LeaseStoreException {
        Lease created = store().create(lease("a"));
        store().update(LeaseEdits.annotated(created, "touched", "yes"));

        assertConflict(() -> store().update(LeaseEdits.released(created, FakeTime.START)));
    }

    @Test
    default void updating_a_lease_that_was_deleted_is_a_conflict() throws LeaseStoreException {
        Lease created = store().create(lease("a"));
        delete();

        assertConflict(() -> store().update(LeaseEdits.released(created, FakeTime.START)));
    }
}
