package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts an {@link ArmEmulator} for JUnit Jupiter tests and stops it afterwards.
 *
 * <pre>{@code
 * @RegisterExtension
 * final ArmEmulatorExtension arm = ArmEmulatorExtension.with(inventory);      // a new one for each test
 *
 * @RegisterExtension
 * static final ArmEmulatorExtension arm = ArmEmulatorExtension.with(inventory);   // one for all tests of the class
 *
 * @ExtendWith(ArmEmulatorExtension.class)                                      // an empty one for the class
 * class PoolsTest {
 *     @Test void lists(ArmEmulator arm) { ... }
 * }
 * }</pre>
 *
 * <p>Needs {@code junit-jupiter-api} on the class path.
 */
public final class ArmEmulatorExtension
        implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {

    private final Inventory inventory;
    private final Faults faults;
    private final ArmSettings settings;
    private final InstantSource clock;
    private @Nullable String classThatStarted;
    private @Nullable ArmEmulator emulator;

    /** An emulator without load balancers, with default settings. */
    public ArmEmulatorExtension() {
        this(Inventory.EMPTY, Faults.NONE, ArmSettings.DEFAULT, InstantSource.system());
    }

    private ArmEmulatorExtension(Inventory inventory, Faults faults, ArmSettings settings, InstantSource clock) {
        this.inventory = inventory;
        this.faults = faults;
        this.settings = settings;
        this.clock = clock;
    }

    /** An emulator with these load balancers. */
    public static ArmEmulatorExtension with(Inventory inventory) {
        return new ArmEmulatorExtension(inventory, Faults.NONE, ArmSettings.DEFAULT, InstantSource.system());
    }

    public ArmEmulatorExtension faults(Faults newFaults) {
        return new ArmEmulatorExtension(inventory, newFaults, settings, clock);
    }

    public ArmEmulatorExtension settings(ArmSettings newSettings) {
        return new ArmEmulatorExtension(inventory, faults, newSettings, clock);
    }

    /** Replaces the system clock, for example with a {@link FakeTime}. */
    public ArmEmulatorExtension clock(InstantSource newClock) {
        return new ArmEmulatorExtension(inventory, faults, settings, newClock);
    }

    /**
     * The running emulator.
     *
     * @throws IllegalStateException outside a test
     */
    public ArmEmulator emulator() {
        if (emulator == null) {
            throw new IllegalStateException("the ARM emulator runs during tests only");
        }
        return emulator;
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        if (classThatStarted == null) { // otherwise this is a class nested in the one that started it
            classThatStarted = context.getUniqueId();
            start();
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        if (classThatStarted == null) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (classThatStarted == null) {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (context.getUniqueId().equals(classThatStarted)) {
            stop();
            classThatStarted = null;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ArmEmulator.class;
    }

    @Override
    public ArmEmulator resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return emulator();
    }

    private void start() throws IOException {
        emulator = ArmEmulator.start(new FakeCloud(clock, inventory, faults, call -> {}), settings);
    }

    private void stop() {
        if (emulator != null) {
            emulator.close();
            emulator = null;
        }
    }
}
