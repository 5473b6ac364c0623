package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The set against {@link HashSet}. */
class AddressSetPropertyTest {

    @Property
    void the_operations_are_those_of_plain_sets(
            @ForAll("addresses") List<IpAddress> left, @ForAll("addresses") List<IpAddress> right) {
        AddressSet a = AddressSet.of(left);
        AddressSet b = AddressSet.of(right);
        Set<IpAddress> union = new HashSet<>(left);
        union.addAll(right);
        Set<IpAddress> difference = new HashSet<>(left);
        difference.removeAll(new HashSet<>(right));
        Set<IpAddress> added = new HashSet<>(right);
        added.removeAll(new HashSet<>(left));
        Set<IpAddress> intersection = new HashSet<>(left);
        intersection.retainAll(new HashSet<>(right));

        assertThat(new HashSet<>(a.union(b).stream().toList())).isEqualTo(union);
        assertThat(new HashSet<>(a.minus(b).stream().toList())).isEqualTo(difference);
        assertThat(new HashSet<>(a.intersect(b).stream().toList())).isEqualTo(intersection);
        AddressChange change = a.changeTo(b);
        assertThat(new HashSet<>(change.removed().stream().toList())).isEqualTo(difference);
        assertThat(new HashSet<>(change.added().stream().toList())).isEqualTo(added);
        assertThat(change.isEmpty()).isEqualTo(difference.isEmpty() && added.isEmpty());
        assertThat(a.isChangeIn(b, b)).isTrue();
        assertThat(a.isChangeIn(b, a)).isEqualTo(change.isEmpty());
        assertThat(a.isChangeIn(b, a.union(b))).isEqualTo(difference.isEmpty());
        assertThat(a.isChangeIn(b, a.intersect(b))).isEqualTo(added.isEmpty());
        assertThat(a.equals(b)).isEqualTo(new HashSet<>(left).equals(new HashSet<>(right)));
        assertThat(a.size()).isEqualTo(new HashSet<>(left).size());
    }

    @Property
    void a_set_can_adopt_the_spelling_of_another(
            @ForAll("addresses") List<IpAddress> left, @ForAll("addresses") List<IpAddress> right) {
        AddressSet a = AddressSet.of(left);
        AddressSet b = AddressSet.of(right);

        assertThat(a.spelledAs(b).toString()).isEqualTo(b.intersect(a).union(a).toString());
    }

    @Property
    void elements_are_sorted_and_unique(@ForAll("addresses") List<IpAddress> addresses) {
        List<IpAddress> elements = AddressSet.of(addresses).stream().toList();

        assertThat(elements).isSorted().doesNotHaveDuplicates();
        assertThat(addresses).allMatch(AddressSet.of(addresses)::contains);
        assertThat(AddressSet.of(addresses).contains(IpAddress.of("255.255.255.255")))
                .isFalse();
    }

    @Property
    void equal_sets_have_equal_hash_codes(@ForAll("addresses") List<IpAddress> addresses) {
        AddressSet set = AddressSet.of(addresses);
        AddressSet again =
                AddressSet.of(addresses.stream().map(IpAddress::canonical).toArray(String[]::new));

        assertThat(again).isEqualTo(set).hasSameHashCodeAs(set);
    }

    @Provide
    Arbitrary<List<IpAddress>> addresses() {
        return Arbitraries.of(
                        "10.0.0.1",
                        "10.0.0.2",
                        "10.0.0.3",
                        "10.0.0.200",
                        "fd12::1",
                        "FD12::1",
                        "fd12:0::1",
                        "fd12::2",
                        "::ffff:10.0.0.1",
                        "ff00::")
                .map(IpAddress::of)
                .list()
                .ofMaxSize(12);
    }
}
