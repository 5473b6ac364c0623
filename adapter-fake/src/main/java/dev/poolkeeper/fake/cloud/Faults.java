package dev.poolkeeper.fake.cloud;

import dev.poolkeeper.fake.FakeResourceLock;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * A faults file: error responses, and times at which another writer holds the resource lock.
 *
 * @param rules evaluated in order for each call
 * @param lease when another writer holds the lock
 */
public record Faults(List<FaultRule> rules, List<LeaseWindow> lease) {

    /** No faults. */
    public static final Faults NONE = new Faults(List.of(), List.of());

    private static final List<String> KEYS = List.of("rules", "lease");
    private static final List<String> LEASE_KEYS = List.of("fromMillis", "untilMillis");

    /**
     * A window of time, since the start, in which another writer holds the lock.
     *
     * @param from the start, inclusive
     * @param until the end, exclusive
     */
    public record LeaseWindow(Duration from, Duration until) {}

    public Faults {
        rules = List.copyOf(rules);
        lease = List.copyOf(lease);
    }

    /** @throws BadInputException with every fault of the file */
    public static Faults read(Path file) throws BadInputException {
        FaultCollector faults = new FaultCollector(file.toString());
        return read(JsonFile.read(file, faults), faults);
    }

    /** @throws BadInputException with every fault of the text */
    public static Faults read(InputStream in, String source) throws BadInputException, IOException {
        FaultCollector faults = new FaultCollector(source);
        return read(JsonFile.read(in, faults), faults);
    }

    private static Faults read(JsonObject file, FaultCollector faults) throws BadInputException {
        file.allowOnly(KEYS);
        List<FaultRule> rules =
                file.objects("rules").stream().map(FaultRuleReader::read).toList();
        List<LeaseWindow> lease =
                file.objects("lease").stream().map(Faults::window).toList();
        faults.throwIfAny();
        return new Faults(rules, lease);
    }

    private static LeaseWindow window(JsonObject json) {
        json.allowOnly(LEASE_KEYS);
        FaultRuleReader.requireOrder(json);
        return new LeaseWindow(
                Duration.ofMillis(json.requiredWholeNumber("fromMillis", 0, Long.MAX_VALUE)
                        .orElse(0)),
                Duration.ofMillis(json.requiredWholeNumber("untilMillis", 0, Long.MAX_VALUE)
                        .orElse(0)));
    }

    /** Whether a rule has settings that only the ARM emulator supports. */
    public boolean usesHttpsOnlyKeys() {
        return rules.stream().anyMatch(FaultRule::isHttpsOnly);
    }

    /** Creates the lock for these faults, whose times are relative to {@code start}. */
    public FakeResourceLock resourceLock(InstantSource clock, Instant start) {
        return new FakeResourceLock(
                clock,
                lease.stream()
                        .map(window ->
                                new FakeResourceLock.Window(start.plus(window.from()), start.plus(window.until())))
                        .toList());
    }
}
