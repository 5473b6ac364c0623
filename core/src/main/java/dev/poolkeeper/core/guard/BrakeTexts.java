package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.HoldCause;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What the brake says about what it holds. */
final class BrakeTexts {

    private static final String HELD = "Removal held back by the safety brake: ";

    private static final String WAVE =
            "Removals are delayed briefly: more than a tenth of all addresses would leave the load"
                    + " balancers, and more may follow.";

    private static final String WAVE_REMEDY = "It continues automatically.";

    private BrakeTexts() {}

    /** Nothing is wanted anywhere. */
    static String allLost(long removed, Losses losses) {
        return HELD
                + "no address is wanted in any pool; it would remove %s of %s addresses."
                        .formatted(removed, losses.total().all());
    }

    /**
     * Too much would be lost.
     *
     * @param namespace the one that would lose it; empty if all pools together would
     * @param losses what would be lost
     * @param others what would be lost without this removal
     */
    static String tooLarge(Optional<String> namespace, Losses losses, Losses others, BrakeSettings settings) {
        String who = namespace.map(name -> "the pools of namespace " + name).orElse("the load balancers");
        Losses.Share all = namespace.map(losses::of).orElseGet(losses::total);
        Losses.Share anyway = namespace.map(others::of).orElseGet(others::total);
        return HELD
                + "%s would lose %s of %s addresses within %s, %s of them by this removal; more than %s %% may not."
                        .formatted(
                                who,
                                all.lost(),
                                all.all(),
                                inWords(settings.window()),
                                all.lost() - anyway.lost(),
                                settings.percent());
    }

    static String remedy(String id, BrakeSettings settings) {
        return "Set safetyBrake.agreed to %s to let it through before its hold of %s ends."
                .formatted(id, inWords(settings.hold()));
    }

    static HoldCause held(BrakedRemoval removal, BrakeSettings settings) {
        return new HoldCause(
                HoldCause.By.SAFETY_BRAKE,
                Optional.of(removal.until()),
                removal.text(),
                remedy(removal.id(), settings),
                Optional.of(removal.id()),
                0);
    }

    static HoldCause wave(Optional<Instant> until) {
        return new HoldCause(HoldCause.By.REMOVAL_WAVE, until, WAVE, WAVE_REMEDY);
    }

    private static String inWords(Duration duration) {
        boolean isInMinutes = duration.toSeconds() % 60 == 0;
        return isInMinutes ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }
}
