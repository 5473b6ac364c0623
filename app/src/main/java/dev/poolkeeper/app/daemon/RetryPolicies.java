package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.input.policies.ArmPolicies;
import dev.poolkeeper.input.policies.PolicyWords;
import dev.poolkeeper.k8s.policies.PolicySnapshot;
import dev.poolkeeper.k8s.policies.Standing;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single entry point for retry policies: those from the configuration and its files and those from the cluster are
 * judged together whenever either changes. The result takes effect at once. Thread-safe.
 */
public final class RetryPolicies {

    private static final Logger log = LoggerFactory.getLogger(RetryPolicies.class);

    /** The status page shows at most this many objects, and counts the rest. */
    private static final int OBJECTS_SHOWN = 100;

    private final RetryModel model;
    private final Consumer<List<Standing>> listener;
    private RetrySources sources; // guarded by this
    private PolicySnapshot cluster = PolicySnapshot.NONE; // guarded by this
    private volatile InForce inForce;

    private record InForce(RetrySettings settings, ArmPolicies policies, List<Standing> standings) {}

    /**
     * @param model receives the resulting settings
     * @param listener receives the verdict on each object of the cluster; must return at once
     */
    public RetryPolicies(RetryModel model, RetrySources sources, Consumer<List<Standing>> listener) {
        this.model = model;
        this.sources = sources;
        this.listener = listener;
        this.inForce = new InForce(sources.settings(), ArmPolicies.of(sources.files()), List.of());
    }

    /** Called when the configuration, or a file it names, has changed. */
    public synchronized void configured(RetrySources now) {
        sources = now;
        judge();
    }

    /** Called when objects of the cluster have changed. */
    public synchronized void cluster(PolicySnapshot now) {
        cluster = now;
        judge();
    }

    private void judge() {
        ArmPolicies policies = ArmPolicies.of(sources.files().and(cluster.manifests()));
        RetrySettings settings = sources.under(policies);
        List<Standing> standings = cluster.standings(policies);
        RetrySettings before = inForce.settings();
        inForce = new InForce(settings, policies, standings);
        model.adjust(settings);
        if (!settings.equals(before)) {
            log.atInfo()
                    .addKeyValue("retriesFrom", origin(policies.policyFrom()))
                    .addKeyValue("budgetFrom", origin(policies.budgetFrom()))
                    .addKeyValue("retries", PolicyWords.of(settings))
                    .addKeyValue("budget", PolicyWords.of(settings.budget()))
                    .log("Retry policies changed");
        }
        listener.accept(standings);
    }

    private static String origin(String manifest) {
        return manifest.isEmpty() ? "configuration" : manifest;
    }

    /** The policies in force and the verdicts on objects, refused ones first. */
    public DaemonStatus.Policies status() {
        InForce now = inForce;
        List<Standing> ours = now.standings().stream()
                .filter(standing -> standing.object().isOurs())
                .sorted(Comparator.comparing(Standing::isAccepted))
                .toList();
        long accepted = ours.stream().filter(Standing::isAccepted).count();
        return new DaemonStatus.Policies(
                now.settings(),
                origin(now.policies().policyFrom()),
                origin(now.policies().budgetFrom()),
                accepted,
                ours.size() - accepted,
                ours.stream().limit(OBJECTS_SHOWN).map(RetryPolicies::shown).toList());
    }

    private static DaemonStatus.PolicyObject shown(Standing standing) {
        Standing.Condition accepted = standing.conditions().get(0);
        return new DaemonStatus.PolicyObject(
                standing.object().id().toString(), accepted.holds(), accepted.reason(), accepted.message());
    }
}
