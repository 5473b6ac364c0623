package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.app.config.DaemonSettings.CallSettings;
import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.app.config.DaemonSettings.LoggingSettings;

/** What the keys about the daemon amount to. */
final class DaemonKeys {

    private static final String POD_NAME = "POD_NAME";

    private DaemonKeys() {}

    static DaemonSettings read(Settings settings) {
        LeaseKeys leases = LeaseKeys.read(settings);
        String podName = settings.variable(POD_NAME);
        return new DaemonSettings(
                new KubernetesConnection(
                        settings.find(Keys.KUBECONFIG),
                        settings.find(Keys.KUBE_CONTEXT),
                        podName.isEmpty() ? null : podName),
                settings.get(Keys.DRY_RUN),
                new CallSettings(settings.get(Keys.CONCURRENCY), settings.get(Keys.SHUTDOWN_GRACE)),
                leases.election(),
                leases.lock(),
                new AdminSettings(settings.get(Keys.ADMIN_ADDRESS), settings.get(Keys.ADMIN_PORT)),
                new LoggingSettings(settings.get(Keys.LOG_FORMAT), settings.get(Keys.LOG_LEVEL)));
    }
}
