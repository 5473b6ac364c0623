package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.Loss;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Namespace shop would lose 15 of 20 addresses, 5 of them anyway, and bank 3 of 40 anyway. */
class LossesTest {

    private static final Duration WINDOW = Duration.ofSeconds(30);
    private static final BrakeSettings SETTINGS = new BrakeSettings(50, 20, Duration.ofMinutes(10), WINDOW);

    private static Losses losses(long ofShop) {
        Losses losses = new Losses();
        losses.add("shop", ofShop, 20);
        losses.add("bank", 3, 40);
        return losses;
    }

    @Test
    void the_numbers_are_those_of_the_namespace_or_else_of_all() {
        assertThat(losses(15).tooMuch(Optional.of("shop"), losses(5), SETTINGS))
                .isEqualTo(new Loss.TooMuch(Optional.of("shop"), 15, 20, 10, WINDOW, 50));
        assertThat(losses(15).tooMuch(Optional.empty(), losses(5), SETTINGS))
                .isEqualTo(new Loss.TooMuch(Optional.empty(), 18, 60, 10, WINDOW, 50));
    }
}
