package dev.poolkeeper.ports.retry;

import java.time.Duration;

/** The limit on the retries of all exchanges together. Immutable; a value that breaks a rule cannot be created. */
public sealed interface BudgetSettings {

    /**
     * The budget if none is configured: 20 % of the requests of a minute, at least six retries per minute. Sized for
     * ARM, where a whole subscription shares a quota of 1,000 writes in five minutes, not for a mesh.
     */
    BudgetSettings DEFAULT = new GatewayApi(20, Duration.ofMinutes(1), new MinRetryRate(6, Duration.ofMinutes(1)));

    /**
     * The {@code retryConstraint} of an XBackendTrafficPolicy (<a
     * href="https://gateway-api.sigs.k8s.io/geps/gep-3388/">GEP-3388</a>): in any trailing interval, retries are at
     * most a share of all requests (retries included) or the floor, whichever is higher.
     *
     * @param percent the share in percent, 0 to 100; with 0 only the floor applies
     * @param interval how long a request counts, 1 s to 1 h
     * @param minRetryRate the floor
     */
    record GatewayApi(int percent, Duration interval, MinRetryRate minRetryRate) implements BudgetSettings {

        /** The Gateway API's defaults for omitted fields. */
        public static final GatewayApi STANZA_DEFAULT =
                new GatewayApi(20, Duration.ofSeconds(10), MinRetryRate.STANZA_DEFAULT);

        /** @throws InvalidPolicyException with every broken rule */
        public GatewayApi {
            Rules rules = new Rules();
            rules.require(
                    percent >= 0 && percent <= 100, "retryConstraint.budget.percent", percent, "must be from 0 to 100");
            rules.requireBetween(
                    Duration.ofSeconds(1),
                    interval,
                    Duration.ofHours(1),
                    "retryConstraint.budget.interval",
                    "must be from 1s to 1h");
            rules.requireNone();
        }
    }

    /**
     * Retries that are always allowed. If only one field is set, the other one comes from {@link #STANZA_DEFAULT}; the
     * Gateway API leaves this open.
     *
     * @param count retries in each interval, 1 to 1,000,000
     * @param interval more than 0, at most 1 h
     */
    record MinRetryRate(int count, Duration interval) {

        /** Ten per second. */
        public static final MinRetryRate STANZA_DEFAULT = new MinRetryRate(10, Duration.ofSeconds(1));

        /** @throws InvalidPolicyException with every broken rule */
        public MinRetryRate {
            Rules rules = new Rules();
            rules.require(
                    count >= 1 && count <= 1_000_000,
                    "retryConstraint.minRetryRate.count",
                    count,
                    "must be from 1 to 1000000");
            rules.requireBetween(
                    Duration.ofMillis(1),
                    interval,
                    Duration.ofHours(1),
                    "retryConstraint.minRetryRate.interval",
                    "must be more than 0s and at most 1h");
            rules.requireNone();
        }
    }

    /**
     * The {@code retryBudget} of a Linkerd ServiceProfile: in a window of ten slots, retries are at most a ratio of the
     * first attempts plus a reserve.
     *
     * @param retryRatio retries for each first attempt, 0 to 1000
     * @param minRetriesPerSecond the reserve, 0 or more; its total over the window may be spent at once
     * @param ttl how long a request counts, 1 s to 60 s
     */
    record Linkerd(double retryRatio, int minRetriesPerSecond, Duration ttl) implements BudgetSettings {

        /** Linkerd's own defaults. */
        public static final Linkerd DEFAULT = new Linkerd(0.2, 10, Duration.ofSeconds(10));

        /** @throws InvalidPolicyException with every broken rule */
        public Linkerd {
            Rules rules = new Rules();
            rules.require( // written so that NaN fails too
                    retryRatio >= 0 && retryRatio <= 1000,
                    "retryBudget.retryRatio",
                    retryRatio,
                    "must be from 0 to 1000");
            rules.require(
                    minRetriesPerSecond >= 0,
                    "retryBudget.minRetriesPerSecond",
                    minRetriesPerSecond,
                    "must be 0 or more");
            rules.requireBetween(
                    Duration.ofSeconds(1), ttl, Duration.ofMinutes(1), "retryBudget.ttl", "must be from 1s to 60s");
            rules.requireNone();
        }
    }

    /** Allows no retries. */
    record None() implements BudgetSettings {}

    /** Allows every retry. */
    record Endless() implements BudgetSettings {}
}
