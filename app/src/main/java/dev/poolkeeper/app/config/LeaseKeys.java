package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.DaemonSettings.ElectionKeys;
import dev.poolkeeper.app.config.DaemonSettings.LockKeys;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The keys about the two Leases.
 *
 * @param election between replicas
 * @param lock between all writers to the load balancers
 */
record LeaseKeys(ElectionKeys election, LockKeys lock) {

    static final String POD_NAMESPACE = "POD_NAMESPACE";

    private static final String DEFAULT_NAME = "poolkeeper-leader";
    private static final int LONGEST_ELECTION = 3_600;
    private static final int LONGEST_LOCK = 86_400;
    private static final int LONGEST_NAME = 253;
    private static final int LONGEST_NAMESPACE = 63;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

    /** @param podNamespace the namespace of the pod that this is; null outside a pod */
    static LeaseKeys read(EffectiveValues values, @Nullable String podNamespace, List<String> notes) {
        ElectionKeys election = election(values.within(Keys.LEADER_ELECTION), podNamespace);
        EffectiveValues section = values.within(Keys.RESOURCE_LOCK);
        LockKeys lock = lock(section);
        if (election.leaseName().equals(lock.leaseName())
                && election.leaseNamespace().equals(lock.leaseNamespace())) {
            section.fault(
                    Keys.LEASE_NAME,
                    "found \"" + lock.leaseName() + "\", must be another Lease than " + Keys.LEADER_ELECTION + "'s");
        }
        if (!lock.leaseName().equals(ResourceLockSettings.NAME)
                || !lock.leaseNamespace().equals(ResourceLockSettings.NAMESPACE)) {
            notes.add(Keys.RESOURCE_LOCK + ": Azure's other writers honour only the Lease "
                    + ResourceLockSettings.NAMESPACE + "/" + ResourceLockSettings.NAME);
        }
        return new LeaseKeys(election, lock);
    }

    private static ElectionKeys election(EffectiveValues values, @Nullable String podNamespace) {
        return new ElectionKeys(
                values.truth("enabled", true),
                leaseName(values, DEFAULT_NAME),
                podNamespace == null
                        ? leaseNamespace(values, ResourceLockSettings.NAMESPACE, EffectiveValues.BY_DEFAULT)
                        : leaseNamespace(values, podNamespace, "environment: " + POD_NAMESPACE),
                times(values));
    }

    private static ElectionSettings times(EffectiveValues values) {
        ElectionSettings usual = ElectionSettings.DEFAULT;
        Duration lease = seconds(values, Keys.LEASE_DURATION, usual.leaseDuration());
        Duration deadline = seconds(values, Keys.RENEW_DEADLINE, usual.renewDeadline());
        Duration retry = seconds(values, Keys.RETRY_PERIOD, usual.retryPeriod());
        boolean isOrdered = true;
        if (deadline.compareTo(lease) >= 0) {
            values.fault(
                    Keys.RENEW_DEADLINE,
                    "is %d, must be less than %s, which is %d"
                            .formatted(deadline.toSeconds(), Keys.LEASE_DURATION, lease.toSeconds()));
            isOrdered = false;
        }
        if (retry.toMillis() * 6 / 5 >= deadline.toMillis()) {
            values.fault(
                    Keys.RETRY_PERIOD,
                    "is %d, and 1.2 times that must be less than %s, which is %d"
                            .formatted(retry.toSeconds(), Keys.RENEW_DEADLINE, deadline.toSeconds()));
            isOrdered = false;
        }
        return isOrdered ? new ElectionSettings(lease, deadline, retry) : usual;
    }

    private static Duration seconds(EffectiveValues values, String key, Duration fallback) {
        return values.seconds(key, 1, LONGEST_ELECTION, (int) fallback.toSeconds());
    }

    private static LockKeys lock(EffectiveValues values) {
        ResourceLockSettings usual = ResourceLockSettings.DEFAULT;
        String name = leaseName(values, ResourceLockSettings.NAME);
        String namespace = leaseNamespace(values, ResourceLockSettings.NAMESPACE, EffectiveValues.BY_DEFAULT);
        int least = (int) usual.renewDeadline().toSeconds() + 1;
        Duration lease = values.seconds(Keys.LEASE_DURATION, least, LONGEST_LOCK, (int)
                usual.leaseDuration().toSeconds());
        return new LockKeys(
                name,
                namespace,
                new ResourceLockSettings(
                        lease, usual.renewInterval(), usual.retry(), usual.renewDeadline(), usual.longestHold()));
    }

    private static String leaseName(EffectiveValues values, String fallback) {
        String name = values.text(Keys.LEASE_NAME, fallback, EffectiveValues.BY_DEFAULT);
        if (name.length() > LONGEST_NAME || !SUBDOMAIN.matcher(name).matches()) {
            values.fault(Keys.LEASE_NAME, "found \"" + name + "\", must be the name of a Kubernetes object");
        }
        return name;
    }

    private static String leaseNamespace(EffectiveValues values, String fallback, String origin) {
        String name = values.text(Keys.LEASE_NAMESPACE, fallback, origin);
        if (name.length() > LONGEST_NAMESPACE || !LABEL.matcher(name).matches()) {
            values.fault(Keys.LEASE_NAMESPACE, "found \"" + name + "\", must be the name of a namespace");
        }
        return name;
    }
}
