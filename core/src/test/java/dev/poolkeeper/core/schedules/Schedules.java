package dev.poolkeeper.core.schedules;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuarantee;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * How long Lincheck searches: seconds in a build, longer with {@code -Dlincheck.scenarios=1000}.
 *
 * <p>Lincheck considers an object local to a thread, and explores no interleavings of calls to it, if it was passed to
 * {@code super(…)} or captured by a lambda: therefore the tested objects are created in field initializers, and the
 * threads have classes. A planted fault next to each test shows that the search reaches it.
 */
public final class Schedules {

    private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 8);

    /**
     * Only used under locks, or never changed: what matters is what happens between the calls to them. Not the
     * collections of {@code List.of}: what their {@code forEach} runs takes locks, and must be able to wait for them.
     */
    private static final Pattern ATOMIC = Pattern.compile("dev\\.poolkeeper\\.ports\\..*|java\\.time\\..*"
        + "|dev\\.poolkeeper\\.core\\.cluster\\.(Want|Wants|MissingNodes|Waits|WantedAddresses|Local|Node|Service|Slice).*"
        + "|java\\.util\\.(AbstractCollection|AbstractList|AbstractMap|ArrayDeque|ArrayList|Arrays|BitSet|HashMap|HashSet"
        + "|LinkedHashMap|Tree).*");

    /** Lincheck checks each call, and a pattern takes longer than most calls. */
    private static final Map<String, Boolean> ANSWERS = new ConcurrentHashMap<>();

    private Schedules() {}

    /** Two threads of two calls each. */
    public static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(SCENARIOS)
                .invocationsPerIteration(60)
                .loopIterationsBeforeThreadSwitch(1_000) // our windows have loops of 500
                .addGuarantee(atomic())
                .minimizeFailedScenario(false);
    }

    /** Two threads of one call each: enough for a fault that two calls show, and a fraction of the schedules. */
    public static ModelCheckingOptions oneCallEach() {
        return options().actorsPerThread(1).actorsBefore(0).actorsAfter(0);
    }

    private static ManagedStrategyGuarantee atomic() {
        return ManagedStrategyGuaranteeKt.forClasses(name ->
                        ANSWERS.computeIfAbsent(name, it -> ATOMIC.matcher(it).matches()))
                .allMethods()
                .treatAsAtomic();
    }
}
