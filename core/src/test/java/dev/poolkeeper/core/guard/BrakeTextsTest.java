package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Namespace shop would lose 15 of 20 addresses, 5 of them anyway, and bank 3 of 40 anyway. */
class BrakeTextsTest {

    private static final BrakeSettings SETTINGS =
            new BrakeSettings(50, 20, Duration.ofMinutes(10), Duration.ofSeconds(30));

    private static Losses losses(long ofShop) {
        Losses losses = new Losses();
        losses.add("shop", ofShop, 20);
        losses.add("bank", 3, 40);
        return losses;
    }

    @Test
    void the_numbers_are_those_of_the_namespace_or_else_of_all() {
        assertThat(BrakeTexts.tooLarge(Optional.of("shop"), losses(15), losses(5), SETTINGS))
                .isEqualTo("Removal held back by the safety brake: the pools of namespace shop would lose 15 of 20"
                        + " addresses within 30 s, 10 of them by this removal; more than 50 % may not.");
        assertThat(BrakeTexts.tooLarge(Optional.empty(), losses(15), losses(5), SETTINGS))
                .isEqualTo("Removal held back by the safety brake: the load balancers would lose 18 of 60 addresses"
                        + " within 30 s, 10 of them by this removal; more than 50 % may not.");
        assertThat(BrakeTexts.allLost(7, losses(15)))
                .isEqualTo("Removal held back by the safety brake: no address is wanted in any pool; it would remove"
                        + " 7 of 60 addresses.");
    }

    @ParameterizedTest
    @CsvSource({"0, 0 min", "30, 30 s", "60, 1 min", "90, 90 s", "600, 10 min", "3600, 60 min", "3601, 3601 s"})
    void a_hold_is_told_in_whole_minutes_or_else_in_seconds(long seconds, String words) {
        BrakeSettings settings = new BrakeSettings(50, 20, Duration.ofSeconds(seconds), Duration.ofSeconds(30));
        assertThat(BrakeTexts.remedy("removal-1", settings))
                .isEqualTo(
                        "Set safetyBrake.agreed to removal-1 to let it through before its hold of " + words + " ends.");
    }
}
