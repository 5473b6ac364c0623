package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InitialStateTest {

    private final List<String> changed = new ArrayList<>();
    private final ReducedStore<String> store = new ReducedStore<>(new Told(changed::add));
    private final InitialState<String> initial = new InitialState<>();

    private static ObjectMeta object(String name) {
        return new ObjectMetaBuilder().withNamespace("shop").withName(name).build();
    }

    @Test
    void objects_are_applied_in_the_order_in_which_they_were_last_shown() {
        List<String> names = IntStream.range(0, 40).mapToObj(i -> "slice-" + i).toList();
        names.forEach(name -> initial.shown(object(name), name));
        initial.shown(object("slice-3"), "slice-3 again");

        initial.moveTo(store);

        List<String> expected = new ArrayList<>(names);
        expected.remove("slice-3");
        expected.add("slice-3 again");
        assertThat(changed)
                .isEqualTo(expected.stream().map(name -> "changed " + name).toList());
    }
}
