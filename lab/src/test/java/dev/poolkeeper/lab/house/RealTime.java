package dev.poolkeeper.lab.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import java.util.List;
import java.util.Map;

/** Code that reads a real clock, waits in real time, or draws from a random source that no test controls. */
final class RealTime {

    private static final String CONSTRUCTOR = "<init>";

    /** Classes with their own timer are detected by type, whatever is called. */
    private static final List<String> TIMERS = List.of(
            "java.util.Timer",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ScheduledThreadPoolExecutor");

    private static final Map<String, List<String>> CLOCKS = Map.of(
            "java.lang.System", List.of("currentTimeMillis", "nanoTime"),
            "java.time.Clock",
                    List.of("system", "systemDefaultZone", "systemUTC", "tickMillis", "tickMinutes", "tickSeconds"),
            "java.time.InstantSource", List.of("system"),
            "java.util.Calendar", List.of("getInstance"),
            "java.lang.Thread", List.of("sleep"),
            "java.util.concurrent.TimeUnit", List.of("sleep", "timedJoin", "timedWait"),
            "java.util.concurrent.locks.LockSupport", List.of("parkNanos", "parkUntil"),
            "java.util.concurrent.Executors", List.of("newScheduledThreadPool", "newSingleThreadScheduledExecutor"),
            "java.util.concurrent.CompletableFuture", List.of("orTimeout", "completeOnTimeout", "delayedExecutor"));

    private static final Map<String, List<String>> CHANCES = Map.of(
            "java.lang.Math", List.of("random"),
            "java.lang.StrictMath", List.of("random"),
            "java.util.UUID", List.of("randomUUID"),
            "java.util.random.RandomGenerator", List.of("getDefault"),
            "java.util.concurrent.ThreadLocalRandom", List.of("current"),
            "java.security.SecureRandom", List.of("getInstance", "getInstanceStrong"));

    private RealTime() {}

    /** Reads a real clock or waits by one: as a call or as a method reference. */
    static DescribedPredicate<JavaAccess<?>> clock() {
        return describe(
                "a real clock",
                access -> names(access, CLOCKS)
                        || TIMERS.contains(owner(access))
                        || (owner(access).startsWith("java.time.")
                                && access.getName().equals("now"))
                        || isUnseeded(access, "java.util.Date")
                        || isUnseeded(access, "java.util.GregorianCalendar"));
    }

    /** Draws from a source without a seed: as a call or as a method reference. */
    static DescribedPredicate<JavaAccess<?>> chance() {
        return describe(
                "a random source of its own",
                access -> names(access, CHANCES)
                        || isUnseeded(access, "java.util.Random")
                        || isUnseeded(access, "java.util.SplittableRandom")
                        || (owner(access).equals("java.security.SecureRandom")
                                && access.getName().equals(CONSTRUCTOR))
                        || (owner(access).equals("java.util.Collections")
                                && access.getName().equals("shuffle")
                                && parameters(access) == 1));
    }

    private static boolean names(JavaAccess<?> access, Map<String, List<String>> methods) {
        return methods.getOrDefault(owner(access), List.of()).contains(access.getName());
    }

    private static boolean isUnseeded(JavaAccess<?> access, String type) {
        return owner(access).equals(type) && access.getName().equals(CONSTRUCTOR) && parameters(access) == 0;
    }

    private static String owner(JavaAccess<?> access) {
        return access.getTargetOwner().getName();
    }

    private static int parameters(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget target
                ? target.getRawParameterTypes().size()
                : -1;
    }
}
