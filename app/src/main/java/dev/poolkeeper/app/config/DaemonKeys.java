package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.app.config.DaemonSettings.Format;
import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.app.config.DaemonSettings.LoggingSettings;
import dev.poolkeeper.app.config.DaemonSettings.SafetyBrakeSettings;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.ports.IpAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The keys about the daemon.
 *
 * @param settings what they come to
 * @param values every setting as it takes effect
 * @param notes what an operator should know about them
 */
record DaemonKeys(DaemonSettings settings, List<EffectiveValue> values, List<String> notes) {

    static final String POD_NAME = "POD_NAME";

    private static final int DAY = 86_400;
    private static final int HOUR = 3_600;
    private static final int LARGEST_PORT = 65_535;
    private static final int MOST_LANES = 64;
    private static final int MOST_ADDRESSES = 1_000_000;

    /**
     * @param configuration the configuration file, beside which the kubeconfig is looked for
     * @param environment the environment's variables
     */
    static DaemonKeys read(JsonObject keys, Path configuration, Map<String, String> environment) {
        EffectiveValues values = new EffectiveValues(keys, configuration.toString());
        List<String> notes = new ArrayList<>();
        KubernetesConnection kubernetes = new KubernetesConnection(
                values.existingFile(Keys.KUBECONFIG, configuration, "a kubeconfig file"),
                values.text(Keys.KUBE_CONTEXT));
        boolean dryRun = values.truth(Keys.DRY_RUN);
        boolean paused = values.truth(Keys.PAUSED);
        Duration directoryRefresh = values.seconds(Keys.DIRECTORY_REFRESH, 1, DAY, 300);
        Duration resync = values.seconds(Keys.RESYNC, 0, DAY, 600);
        int concurrency = values.whole(Keys.CONCURRENCY, 1, MOST_LANES, 16);
        SafetyBrakeSettings brake = brake(values.within(Keys.SAFETY_BRAKE));
        LeaseKeys leases = LeaseKeys.read(values, variable(environment, LeaseKeys.POD_NAMESPACE), notes);
        AdminSettings admin = admin(values.within(Keys.ADMIN));
        LoggingSettings logging = logging(values.within(Keys.LOGGING));
        Duration grace = values.seconds(Keys.SHUTDOWN_GRACE, 0, HOUR, 25);
        DaemonSettings settings = new DaemonSettings(
                kubernetes,
                dryRun,
                paused,
                directoryRefresh,
                resync,
                concurrency,
                brake,
                leases.election(),
                leases.lock(),
                admin,
                logging,
                grace,
                variable(environment, POD_NAME));
        return new DaemonKeys(settings, values.all(), notes);
    }

    private static @Nullable String variable(Map<String, String> environment, String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value;
    }

    private static SafetyBrakeSettings brake(EffectiveValues values) {
        return new SafetyBrakeSettings(
                values.whole("percent", 0, 100, 50),
                values.whole("minAddresses", 0, MOST_ADDRESSES, 20),
                values.seconds("holdInSeconds", 1, DAY, 600),
                values.text("agreed"));
    }

    private static AdminSettings admin(EffectiveValues values) {
        String address = values.text("address", "127.0.0.1", EffectiveValues.BY_DEFAULT);
        if (IpAddress.parse(address).isEmpty()) {
            values.fault("address", "found \"" + address + "\", must be an IP address such as 127.0.0.1 or 0.0.0.0");
        }
        return new AdminSettings(address, values.whole("port", 0, LARGEST_PORT, 8095));
    }

    private static LoggingSettings logging(EffectiveValues values) {
        Format format = Format.of(values.oneOf("format", List.of("text", "json"), "text"));
        String level = values.oneOf("level", List.of("error", "warn", "info", "debug"), "info");
        return new LoggingSettings(format, Level.valueOf(level.toUpperCase(Locale.ROOT)));
    }
}
