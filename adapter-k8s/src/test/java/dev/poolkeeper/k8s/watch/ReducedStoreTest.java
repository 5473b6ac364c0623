package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReducedStoreTest {

    private final List<String> reported = new ArrayList<>();
    private boolean failing;
    private final ReducedStore<String> store = new ReducedStore<>(new Told(this::tell));

    private void tell(String what) {
        if (failing) {
            throw new IllegalStateException("not now");
        }
        reported.add(what);
    }

    private static ObjectMeta web(String uid, String version) {
        return new ObjectMetaBuilder()
                .withNamespace("shop")
                .withName("web")
                .withUid(uid)
                .withResourceVersion(version)
                .build();
    }

    @Test
    void a_newer_version_with_the_known_state_is_reported_once_as_unchanged() {
        store.watched(web("u", "1"), "a");
        store.watched(web("u", "2"), "a");
        store.watched(web("u", "2"), "a");
        store.listed(web("u", "2"), "a");
        store.listed(web("u", "3"), "a");

        assertThat(reported).containsExactly("changed a", "unchanged a", "unchanged a");
    }

    @Test
    void an_event_older_than_the_known_state_is_ignored() {
        store.listed(web("u", "10"), "new");
        store.watched(web("u", "9"), "old");

        assertThat(reported).containsExactly("changed new");
    }

    @Test
    void an_event_from_before_the_deletion_does_not_bring_the_object_back() {
        store.watched(web("u", "10"), "new");
        store.removed(web("u", "12"));
        store.watched(web("u", "11"), "old");

        assertThat(reported).containsExactly("changed new", "deleted new");
    }

    @Test
    void an_object_that_cannot_be_read_keeps_its_state_unless_it_was_recreated() {
        store.watchedUnreadable(web("u", "1"));
        store.watched(web("u", "2"), "a");
        store.watchedUnreadable(web("u", "3"));
        store.listedUnreadable(web("u", "4"));
        store.retain(Set.of("shop/web"));
        assertThat(reported).containsExactly("changed a");

        store.watchedUnreadable(web("v", "5"));
        assertThat(reported).containsExactly("changed a", "deleted a");
    }

    @Test
    void among_the_initial_events_too() {
        store.listed(web("u", "1"), "a");
        InitialState<String> shown = new InitialState<>();
        shown.shown(web("u", "2"), "b");
        shown.unreadable(web("u", "3"));
        assertThat(shown.moveTo(store)).containsExactly("shop/web");
        assertThat(reported).containsExactly("changed a", "changed b");

        InitialState<String> kept = new InitialState<>();
        kept.unreadable(web("u", "4"));
        assertThat(kept.moveTo(store)).containsExactly("shop/web");
        assertThat(reported).containsExactly("changed a", "changed b");

        InitialState<String> recreated = new InitialState<>();
        recreated.shown(web("u", "5"), "b");
        recreated.unreadable(web("v", "6"));
        assertThat(recreated.moveTo(store)).containsExactly("shop/web");
        assertThat(reported).containsExactly("changed a", "changed b", "deleted b");

        InitialState<String> gone = new InitialState<>();
        gone.unreadable(web("v", "7"));
        gone.deleted(web("v", "8"));
        assertThat(gone.moveTo(store)).isEmpty();
    }

    @Test
    void resource_versions_compare_as_numbers() {
        store.watched(web("u", "9"), "nine");
        store.watched(web("u", "10"), "ten");

        assertThat(reported).containsExactly("changed nine", "changed ten");
    }

    @Test
    void a_list_is_applied_even_if_it_is_older() {
        store.watched(web("u", "10"), "new");
        store.listed(web("u", "9"), "restored from a backup");

        assertThat(reported).containsExactly("changed new", "changed restored from a backup");
    }

    /** What an event may be about after the cluster was restored from a backup, whose versions are lower. */
    @ParameterizedTest
    @CsvSource({
        "changed,               changed later",
        "the same again,        unchanged restored",
        "deleted,               deleted restored",
        "recreated,             deleted restored; changed later",
        "recreated unreadable,  deleted restored",
        "another one,           changed another"
    })
    void after_a_list_with_lower_versions_events_with_such_versions_count(String event, String told) {
        // given
        store.watched(web("u", "1000"), "new");
        store.listed(web("u", "9"), "restored");
        store.retain(Set.of("shop/web"));
        reported.clear();
        // when
        switch (event) {
            case "changed" -> store.watched(web("u", "10"), "later");
            case "the same again" -> store.watched(web("u", "10"), "restored");
            case "deleted" -> store.removed(web("u", "10"));
            case "recreated" -> store.watched(web("v", "10"), "later");
            case "recreated unreadable" -> store.watchedUnreadable(web("v", "10"));
            default ->
                store.watched(
                        new ObjectMetaBuilder(web("w", "10")).withName("api").build(), "another");
        }
        // then
        assertThat(String.join("; ", reported)).isEqualTo(told);
    }

    @Test
    void a_different_uid_is_a_different_object() {
        store.watched(web("u", "1"), "a");
        store.watched(web("v", "2"), "a");

        assertThat(reported).containsExactly("changed a", "deleted a", "changed a");
    }

    @Test
    void the_deletion_of_an_object_recreated_since_has_no_effect() {
        store.listed(web("v", "5"), "new one");
        store.removed(web("u", "4"));

        assertThat(reported).containsExactly("changed new one");
    }

    @Test
    void an_object_missing_from_a_list_is_deleted_with_its_last_state() {
        store.listed(web("u", "1"), "a");
        store.retain(Set.of("shop/api"));

        assertThat(reported).containsExactly("changed a", "deleted a");
        assertThat(store.size()).isZero();
    }

    @Test
    void a_state_that_the_listener_rejected_counts_as_not_reported() {
        failing = true;
        assertThatThrownBy(() -> store.watched(web("u", "1"), "a")).isInstanceOf(IllegalStateException.class);
        failing = false;
        store.listed(web("u", "1"), "a");
        failing = true;
        assertThatThrownBy(() -> store.removed(web("u", "2"))).isInstanceOf(IllegalStateException.class);
        failing = false;
        store.retain(Set.of());

        assertThat(reported).containsExactly("changed a", "deleted a");
    }

    @Test
    void after_a_version_that_is_not_a_number_events_of_other_objects_count() {
        ObjectMeta api = new ObjectMetaBuilder(web("w", "3")).withName("api").build();
        store.watched(web("u", "not a number"), "a");
        store.watched(api, "b");
        store.removed(api);
        assertThat(reported).containsExactly("changed a", "changed b", "deleted b");
    }
}
