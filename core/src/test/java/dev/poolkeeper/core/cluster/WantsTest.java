package dev.poolkeeper.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import org.junit.jupiter.api.Test;

class WantsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "a-b-c");
    private static final ServiceName WEB = new ServiceName("a", "b-c");
    private static final ServiceName API = new ServiceName("a-b", "c");

    private static Want want(ServiceName service, String... addresses) {
        return new Want(service, POOL, AddressSet.of(addresses), true, true, true, false);
    }

    private static Want incomplete(ServiceName service, String... addresses) {
        return new Want(service, POOL, AddressSet.of(addresses), true, false, false, false);
    }

    @Test
    void a_later_want_of_a_service_replaces_its_earlier_one() {
        Wants wants = Wants.NONE.with(want(WEB, "10.0.0.1")).with(want(WEB, "10.0.0.2"));
        assertThat(wants.union()).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(wants.all()).hasSize(1);
    }

    @Test
    void services_are_in_order_of_their_names() {
        assertThat(Wants.NONE.with(want(API)).with(want(WEB)).services()).containsExactly(API, WEB);
        assertThat(Wants.NONE.with(want(WEB)).with(want(API)).services()).containsExactly(API, WEB);
    }

    @Test
    void of_a_paused_service_others_see_what_it_wanted_when_the_pause_began() {
        Wants wants = Wants.NONE
                .with(want(API, "10.0.0.9"))
                .with(want(WEB, "10.0.0.1"))
                .with(want(WEB, "10.0.0.1").withPaused(true))
                .with(want(WEB, "10.0.0.2").withPaused(true));
        assertThat(wants.wantedByOthers(API)).isEqualTo(AddressSet.of("10.0.0.1"));
        assertThat(wants.wanted(WEB)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(wants.isPaused(WEB)).isTrue();
        assertThat(wants.isPaused(API)).isFalse();

        Wants resumed = wants.with(want(WEB, "10.0.0.2"));
        assertThat(resumed.wantedByOthers(API)).isEqualTo(AddressSet.of("10.0.0.2"));
        assertThat(resumed.with(want(WEB, "10.0.0.2").withPaused(true))
                        .with(want(WEB, "10.0.0.3").withPaused(true))
                        .wantedByOthers(API))
                .as("a second pause begins when it begins")
                .isEqualTo(AddressSet.of("10.0.0.2"));
    }

    @Test
    void a_service_adopted_during_its_pause_is_frozen_as_adopted() {
        Wants wants = Wants.NONE
                .with(incomplete(WEB, "10.0.0.1").withPaused(true))
                .with(incomplete(WEB, "10.0.0.1", "10.0.0.2").withPaused(true));
        assertThat(wants.wantedByOthers(API)).isEqualTo(AddressSet.of("10.0.0.1", "10.0.0.2"));
        Wants adopted = wants.with(want(WEB, "10.0.0.3").withPaused(true))
                .with(want(WEB).withPaused(true));
        assertThat(adopted.wantedByOthers(API)).isEqualTo(AddressSet.of("10.0.0.3"));
    }

    @Test
    void a_pause_that_begins_before_anything_is_known_freezes_nothing_until_the_adoption() {
        Wants adopted = Wants.NONE
                .with(Want.ofUnseen(WEB, POOL, false))
                .with(incomplete(WEB, "10.0.0.1", "10.0.0.2").withPaused(true))
                .with(want(WEB, "10.0.0.2", "10.0.0.3").withPaused(true))
                .with(want(WEB).withPaused(true));
        assertThat(adopted.wantedByOthers(API)).isEqualTo(AddressSet.of("10.0.0.2", "10.0.0.3"));
    }

    @Test
    void a_pause_that_begins_before_the_adoption_keeps_what_was_wanted_then_and_until_it() {
        Wants adopted = Wants.NONE
                .with(incomplete(WEB, "10.0.0.1", "10.0.0.2"))
                .with(incomplete(WEB, "10.0.0.1", "10.0.0.2").withPaused(true))
                .with(incomplete(WEB, "10.0.0.1", "10.0.0.2", "10.0.0.3").withPaused(true))
                .with(want(WEB, "10.0.0.2", "10.0.0.4").withPaused(true));
        AddressSet kept = AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
        assertThat(adopted.wantedByOthers(API)).isEqualTo(kept);
        assertThat(adopted.with(want(WEB, "10.0.0.5").withPaused(true)).wantedByOthers(API))
                .isEqualTo(kept);
    }

    @Test
    void a_pool_agrees_with_the_union_or_holds_it_while_no_set_was_complete() {
        Wants incomplete = Wants.NONE.with(incomplete(WEB, "10.0.0.1"));
        assertThat(incomplete.agrees(AddressSet.of("10.0.0.1", "10.0.0.9"))).isTrue();
        assertThat(incomplete.agrees(AddressSet.of("10.0.0.9"))).isFalse();
        Wants both = incomplete.with(want(API, "10.0.0.2"));
        assertThat(both.agrees(AddressSet.of("10.0.0.1", "10.0.0.2"))).isTrue();
        assertThat(both.agrees(AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.9")))
                .isFalse();
    }

    @Test
    void a_service_that_left_wants_nothing_and_is_not_local() {
        Wants wants = Wants.NONE.with(want(WEB, "10.0.0.1")).without(WEB);
        assertThat(wants.isEmpty()).isTrue();
        assertThat(wants.isSeen(WEB)).isFalse();
        assertThat(wants.isAdopted(WEB)).isFalse();
        assertThat(wants.wanted(WEB)).isEqualTo(AddressSet.empty());
    }
}
