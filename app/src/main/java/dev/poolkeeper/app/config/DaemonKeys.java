package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.app.config.DaemonSettings.CallSettings;
import dev.poolkeeper.app.config.DaemonSettings.GateKeys;
import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.app.config.DaemonSettings.PolicyObjects;

/** Reads the keys of the daemon. */
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
                new PolicyObjects(settings.get(Keys.POLICY_OBJECTS), settings.get(Keys.POLICY_NAMESPACE)),
                new CallSettings(settings.get(Keys.CONCURRENCY), settings.get(Keys.SHUTDOWN_GRACE)),
                leases.election(),
                leases.lock(),
                gate(settings),
                new AdminSettings(
                        settings.get(Keys.ADMIN_ADDRESS),
                        settings.get(Keys.ADMIN_PORT),
                        settings.get(Keys.ADMIN_HOSTS)),
                settings.get(Keys.LOG_FORMAT));
    }

    /** In a dry run nothing is written to the cluster either. */
    private static GateKeys gate(Settings settings) {
        boolean isEnabled = settings.get(Keys.GATE_ENABLED);
        if (isEnabled && settings.get(Keys.DRY_RUN)) {
            settings.note("readinessGate: a dry run sets no conditions, so Pods with the gate keep waiting");
        }
        return new GateKeys(
                isEnabled && !settings.get(Keys.DRY_RUN),
                settings.get(Keys.GATE_NAMESPACES),
                settings.get(Keys.GATE_TIMEOUT));
    }

    /** Adds a fault if the file does not say which load balancers the daemon manages. */
    static void requirePlace(Settings settings) {
        for (Key<?> key : Keys.all()) {
            settings.field(key)
                    .map(Field::value)
                    .filter(value -> value.isTextual() && Placeholders.isCapitals(key, value.textValue()))
                    .ifPresent(value -> settings.fault(key, Placeholders.problem(key.name(), value)));
        }
        if (!settings.isSet(Keys.SUBSCRIPTION_ID) && !settings.isSet(Keys.RESOURCE_GROUP)) {
            settings.require(Keys.SUBSCRIPTION_ID, "must be set for a daemon");
            settings.require(Keys.RESOURCE_GROUP, "must be set for a daemon");
        }
    }
}
