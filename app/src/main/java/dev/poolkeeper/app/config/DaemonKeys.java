package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.app.config.DaemonSettings.LoggingSettings;
import dev.poolkeeper.app.config.DaemonSettings.SafetyBrakeSettings;

/** What the keys about the daemon amount to. */
final class DaemonKeys {

    private static final String POD_NAME = "POD_NAME";

    private DaemonKeys() {}

    static DaemonSettings read(Settings settings) {
        LeaseKeys leases = LeaseKeys.read(settings);
        String podName = settings.variable(POD_NAME);
        return new DaemonSettings(
                new KubernetesConnection(settings.find(Keys.KUBECONFIG), settings.find(Keys.KUBE_CONTEXT)),
                settings.get(Keys.DRY_RUN),
                settings.get(Keys.PAUSED),
                settings.get(Keys.DIRECTORY_REFRESH),
                settings.get(Keys.RESYNC),
                settings.get(Keys.CONCURRENCY),
                new SafetyBrakeSettings(
                        settings.get(Keys.BRAKE_PERCENT),
                        settings.get(Keys.BRAKE_MIN_ADDRESSES),
                        settings.get(Keys.BRAKE_HOLD),
                        settings.find(Keys.BRAKE_AGREED)),
                leases.election(),
                leases.lock(),
                new AdminSettings(settings.get(Keys.ADMIN_ADDRESS), settings.get(Keys.ADMIN_PORT)),
                new LoggingSettings(settings.get(Keys.LOG_FORMAT), settings.get(Keys.LOG_LEVEL)),
                settings.get(Keys.SHUTDOWN_GRACE),
                podName.isEmpty() ? null : podName);
    }
}
