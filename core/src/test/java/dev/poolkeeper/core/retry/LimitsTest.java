package dev.poolkeeper.core.retry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitsTest {

    private final Limits limits = new Limits();

    private void assertThatLimitsOf(long version, long... three) {
        assertThat(new long[] {limits.floorLimit(version), limits.shareBase(version), limits.firstsBefore(version)})
                .containsExactly(three);
    }

    @Test
    void the_next_limits_are_written_beside_the_present_ones() {
        limits.write(1, 10, 20, 30);
        limits.inForce(1);
        limits.write(2, 11, 21, 31);
        assertThatLimitsOf(1, 10, 20, 30);
        limits.inForce(2);
        assertThatLimitsOf(2, 11, 21, 31);
    }

    @Test
    void limits_are_whole_until_the_version_after_theirs_is_in_force() {
        limits.inForce(4);
        assertThat(limits.areOf(5)).as("the word tells 5 already").isTrue();
        assertThat(limits.areOf(4)).isTrue();
        limits.inForce(5);
        assertThat(limits.areOf(4)).as("those of 6 may be half written").isFalse();
        assertThat(limits.areOf(3)).isFalse();
        assertThat(limits.areOf(7)).isFalse();
    }

    @Test
    void versions_begin_again_after_the_last() {
        limits.inForce(WindowBudget.VERSION_MASK);
        assertThat(limits.areOf(0)).isTrue();
        assertThat(limits.areOf(WindowBudget.VERSION_MASK)).isTrue();
        assertThat(limits.areOf(1)).isFalse();
    }
}
