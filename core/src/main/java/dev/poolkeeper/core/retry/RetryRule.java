package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * The rule of a budget. A retry is allowed if, including it, the retries are at most {@code numerator / denominator}
 * times the first attempts plus {@code onTop}; otherwise if they are at most {@code floorInShare} and the retries in
 * the floor's window are at most {@code floor}.
 *
 * @param numerator of the ratio of retries to first attempts, not negative
 * @param denominator of that ratio, not negative; 0 allows any number of retries
 * @param onTop retries on top of the share
 * @param floorInShare the retries that the floor allows in the share's window
 * @param floor the retries that the floor allows in its own window
 */
record RetryRule(long numerator, long denominator, long onTop, long floorInShare, long floor) {

    private static final int ALL_PERCENT = 100;
    private static final int FINEST_SCALE = 18;
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    static RetryRule of(BudgetSettings settings) {
        return switch (settings) {
            case BudgetSettings.GatewayApi gatewayApi -> ofGatewayApi(gatewayApi);
            case BudgetSettings.Linkerd linkerd -> ofLinkerd(linkerd);
            case BudgetSettings.None none -> new RetryRule(0, 1, 0, 0, 0);
            case BudgetSettings.Endless endless -> new RetryRule(0, 0, 0, 0, 0);
        };
    }

    /**
     * The Gateway API's rule: including the retry, the retries in the trailing {@code budget.interval} are at most
     * {@code budget.percent} of all requests in that interval, retries included; otherwise there are at most
     * {@code minRetryRate.count} retries in the trailing {@code minRetryRate.interval}, and no more in the
     * {@code budget.interval} than that rate yields. So retries never exceed the larger of share and floor, and an idle
     * budget admits at most {@code count} retries at once.
     *
     * <p>Source: <a href="https://gateway-api.sigs.k8s.io/geps/gep-3388/">GEP-3388</a>.
     */
    private static RetryRule ofGatewayApi(BudgetSettings.GatewayApi settings) {
        long count = settings.minRetryRate().count();
        long inShareWindow = count
                * settings.interval().toMillis()
                / settings.minRetryRate().interval().toMillis();
        return new RetryRule(
                settings.percent(), ALL_PERCENT - settings.percent(), 0, Math.max(count, inShareWindow), count);
    }

    /**
     * Linkerd's rule: the retries are at most {@code retryRatio} times the first attempts, plus
     * {@code minRetriesPerSecond} for each second of the {@code ttl}. Ratios are exact here. Linkerd itself counts in
     * whole tokens and rounds ratios other than 1/n up: 0.9 to 1, 0.4 to 0.5.
     */
    private static RetryRule ofLinkerd(BudgetSettings.Linkerd settings) {
        long reserve = settings.minRetriesPerSecond() * settings.ttl().toMillis() / 1_000;
        return ofRatio(BigDecimal.valueOf(settings.retryRatio()), reserve, reserve);
    }

    private static RetryRule ofRatio(BigDecimal exact, long onTop, long floor) {
        int scale = Math.clamp(exact.stripTrailingZeros().scale(), 0, FINEST_SCALE);
        BigDecimal ratio = exact.setScale(scale, RoundingMode.DOWN);
        return new RetryRule(
                ratio.unscaledValue().longValueExact(),
                BigDecimal.TEN.pow(scale).longValueExact(),
                onTop,
                floor,
                floor);
    }

    /**
     * Whether a retry is allowed.
     *
     * @param retries in the share's window, including the one in question
     * @param firsts first attempts in the share's window
     * @param retriesInFloor in the floor's window, including the one in question
     */
    boolean allows(long retries, long firsts, long retriesInFloor) {
        return (retries <= floorInShare && retriesInFloor <= floor) || shareAllows(retries - onTop, firsts);
    }

    /** Exact: compares 128-bit products. */
    private boolean shareAllows(long retries, long firsts) {
        long left = Math.multiplyHigh(retries, denominator);
        long right = Math.multiplyHigh(firsts, numerator);
        return left < right || (left == right && Long.compareUnsigned(retries * denominator, firsts * numerator) <= 0);
    }

    /** The number of further retries allowed right now; empty for any number. Counts as {@link #allows}. */
    OptionalLong balance(long retries, long firsts, long retriesInFloor) {
        if (denominator == 0) {
            return OptionalLong.empty();
        }
        long byFloor = Math.min(floorInShare - retries, floor - retriesInFloor);
        long byShare = BigInteger.valueOf(firsts)
                        .multiply(BigInteger.valueOf(numerator))
                        .divide(BigInteger.valueOf(denominator))
                        .min(LARGEST)
                        .longValue()
                - retries
                + onTop;
        return OptionalLong.of(Math.max(0, Math.max(byFloor, byShare)));
    }
}
