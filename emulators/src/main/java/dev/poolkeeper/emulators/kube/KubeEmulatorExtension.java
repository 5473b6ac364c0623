package dev.poolkeeper.emulators.kube;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts a {@link KubeEmulator} for each test and stops it afterwards.
 *
 * <pre>{@code
 * @RegisterExtension
 * final KubeEmulatorExtension kube = new KubeEmulatorExtension();
 * }</pre>
 *
 * <p>Needs {@code junit-jupiter-api} on the class path.
 */
public final class KubeEmulatorExtension implements BeforeEachCallback, AfterEachCallback {

    private final KubeSettings settings;
    private @Nullable KubeEmulator emulator;

    /** An extension with {@link KubeSettings#DEFAULT}. */
    public KubeEmulatorExtension() {
        this(KubeSettings.DEFAULT);
    }

    public KubeEmulatorExtension(KubeSettings settings) {
        this.settings = settings;
    }

    /**
     * The running emulator.
     *
     * @throws IllegalStateException outside a test
     */
    public KubeEmulator emulator() {
        if (emulator == null) {
            throw new IllegalStateException("the API server emulator runs during tests only");
        }
        return emulator;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        emulator = KubeEmulator.start(settings);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (emulator != null) {
            emulator.close();
            emulator = null;
        }
    }
}
