package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.DaemonSettings.ElectionKeys;
import dev.poolkeeper.app.config.DaemonSettings.LockKeys;
import dev.poolkeeper.app.config.TextTypes.Name;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the keys of the two Leases.
 *
 * @param election the election among replicas
 * @param lock the lock shared by all writers to the load balancers
 */
record LeaseKeys(ElectionKeys election, LockKeys lock) {

    private static final String POD_NAMESPACE = "POD_NAMESPACE";
    private static final String ORIGIN = "environment: " + POD_NAMESPACE;

    static LeaseKeys read(Settings settings) {
        ElectionKeys election = new ElectionKeys(
                settings.get(Keys.ELECTION_ENABLED),
                settings.get(Keys.ELECTION_LEASE_NAME),
                settings.get(Keys.ELECTION_LEASE_NAMESPACE),
                times(settings));
        LockKeys lock = new LockKeys(
                settings.get(Keys.LOCK_LEASE_NAME),
                settings.get(Keys.LOCK_LEASE_NAMESPACE),
                ResourceLockSettings.DEFAULT.withLeaseDuration(settings.get(Keys.LOCK_LEASE_DURATION)));
        if (election.leaseName().equals(lock.leaseName())
                && election.leaseNamespace().equals(lock.leaseNamespace())) {
            settings.fault(
                    Keys.LOCK_LEASE_NAME,
                    "found \"" + lock.leaseName() + "\", must not be the Lease of leaderElection");
        }
        if (!lock.leaseName().equals(ResourceLockSettings.NAME)
                || !lock.leaseNamespace().equals(ResourceLockSettings.NAMESPACE)) {
            settings.note("resourceLock: Azure's other writers honour only the Lease " + ResourceLockSettings.NAMESPACE
                    + "/" + ResourceLockSettings.NAME);
        }
        return new LeaseKeys(election, lock);
    }

    /** The default of {@link Keys#ELECTION_LEASE_NAMESPACE}: the pod's namespace, or kube-system outside a pod. */
    static Setting<String> usualNamespace(Settings settings) {
        String podNamespace = settings.variable(POD_NAMESPACE);
        return podNamespace.isEmpty()
                ? Setting.byDefault(ResourceLockSettings.NAMESPACE)
                : new Setting<>(podNamespace, ORIGIN);
    }

    /** That the pod's namespace is none, where a key has it as its value. */
    static Optional<InputFault> faultOfNamespace(Settings settings) {
        String namespace = settings.variable(POD_NAMESPACE);
        boolean isUsed = Stream.of(Keys.ELECTION_LEASE_NAMESPACE, Keys.POLICY_NAMESPACE)
                .anyMatch(key -> settings.originOf(key).equals(ORIGIN));
        return isUsed && !Name.OF_NAMESPACE.matches(namespace)
                ? Optional.of(new InputFault(
                        POD_NAMESPACE,
                        "",
                        "found \"%s\", must be %s".formatted(namespace, Name.OF_NAMESPACE.allowed())))
                : Optional.empty();
    }

    private static ElectionSettings times(Settings settings) {
        Duration lease = settings.get(Keys.ELECTION_LEASE_DURATION);
        Duration deadline = settings.get(Keys.ELECTION_RENEW_DEADLINE);
        Duration retry = settings.get(Keys.ELECTION_RETRY_PERIOD);
        boolean isOrdered = true;
        if (deadline.compareTo(lease) >= 0) {
            settings.fault(
                    Keys.ELECTION_RENEW_DEADLINE,
                    "is %s, must be less than leaseDurationInSeconds, which is %s"
                            .formatted(deadline.toSeconds(), lease.toSeconds()));
            isOrdered = false;
        }
        if (retry.toMillis() * 6 / 5 >= deadline.toMillis()) {
            settings.fault(
                    Keys.ELECTION_RETRY_PERIOD,
                    "is %s, and 1.2 times that must be less than renewDeadlineInSeconds, which is %s"
                            .formatted(retry.toSeconds(), deadline.toSeconds()));
            isOrdered = false;
        }
        return isOrdered ? new ElectionSettings(lease, deadline, retry) : ElectionSettings.DEFAULT;
    }
}
