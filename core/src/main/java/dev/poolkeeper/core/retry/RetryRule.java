package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * The rule of a budget over windows of time. A retry is allowed if, including it, the retries in the share's window are
 * at most {@code numerator / denominator} times the first attempts in it plus {@code onTop}; otherwise if they are at
 * most {@code floorInShare} and the retries in the floor's window are at most {@code floor}.
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

    /**
     * The Gateway API's rule: including the retry, the retries in the trailing {@code budget.interval} are at most
     * {@code budget.percent} of all requests in that interval, retries included; otherwise there are at most
     * {@code minRetryRate.count} retries in the trailing {@code minRetryRate.interval}, and no more in the
     * {@code budget.interval} than that rate yields. So retries never exceed the larger of share and floor, and an idle
     * budget admits at most {@code count} retries at once.
     *
     * <p>Source: <a href="https://gateway-api.sigs.k8s.io/geps/gep-3388/">GEP-3388</a>.
     */
    static RetryRule of(BudgetSettings.GatewayApi settings) {
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
    static RetryRule of(BudgetSettings.Linkerd settings) {
        BigDecimal exact = BigDecimal.valueOf(settings.retryRatio()).stripTrailingZeros();
        BigDecimal ratio = exact.setScale(Math.clamp(exact.scale(), 0, FINEST_SCALE), RoundingMode.DOWN);
        long reserve = settings.minRetriesPerSecond() * settings.ttl().toMillis() / 1_000;
        return new RetryRule(
                ratio.unscaledValue().longValueExact(),
                BigDecimal.TEN.pow(ratio.scale()).longValueExact(),
                reserve,
                reserve,
                reserve);
    }

    /**
     * Whether a retry is allowed.
     *
     * @param retries the total number of retries, including the one in question
     * @param firsts the total number of first attempts
     */
    boolean allows(long retries, long firsts, TrafficWindow shareWindow, TrafficWindow floorWindow) {
        long inShare = retries - shareWindow.retriesBefore();
        return (inShare <= floorInShare && retries - floorWindow.retriesBefore() <= floor)
                || shareAllows(inShare - onTop, firsts - shareWindow.firstsBefore());
    }

    /** Exact: compares 128-bit products. */
    private boolean shareAllows(long retries, long firsts) {
        long left = Math.multiplyHigh(retries, denominator);
        long right = Math.multiplyHigh(firsts, numerator);
        return left < right || (left == right && Long.compareUnsigned(retries * denominator, firsts * numerator) <= 0);
    }

    /** The number of further retries allowed right now; empty for any number. */
    OptionalLong balance(long retries, long firsts, TrafficWindow shareWindow, TrafficWindow floorWindow) {
        if (denominator == 0) {
            return OptionalLong.empty();
        }
        long inShare = retries - shareWindow.retriesBefore();
        long byFloor = Math.min(floorInShare - inShare, floor - (retries - floorWindow.retriesBefore()));
        long byShare = BigInteger.valueOf(firsts - shareWindow.firstsBefore())
                        .multiply(BigInteger.valueOf(numerator))
                        .divide(BigInteger.valueOf(denominator))
                        .min(LARGEST)
                        .longValue()
                - inShare
                + onTop;
        return OptionalLong.of(Math.max(0, Math.max(byFloor, byShare)));
    }
}
