package dev.poolkeeper.core.retry;

import dev.poolkeeper.ports.retry.BudgetSettings;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.OptionalLong;

/**
 * What a budget over windows of time allows: a retry, if with it the retries of the share's window are at most
 * {@code numerator / denominator} times its first attempts plus {@code onTop}; or else if with it they are at most
 * {@code floorInShare}, and those of the floor's window at most {@code floor}.
 *
 * @param numerator of the ratio of retries to first attempts, not negative
 * @param denominator of it, not negative; 0 allows any number
 * @param onTop retries on top of the share
 * @param floorInShare what the floor allows in the window of the share
 * @param floor what it allows in its own
 */
record RetryRule(long numerator, long denominator, long onTop, long floorInShare, long floor) {

    private static final int ALL_PERCENT = 100;
    private static final int FINEST_SCALE = 18;
    private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    /**
     * The Gateway API's: with a retry, the retries of the trailing {@code budget.interval} are at most
     * {@code budget.percent} of all requests of that interval, retries included; or else there are at most
     * {@code minRetryRate.count} retries in the trailing {@code minRetryRate.interval}, and no more in the
     * {@code budget.interval} than that rate makes there. So retries never exceed the larger of share and floor, and
     * what was idle admits {@code count} at once and no more.
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
     * Linkerd's: the retries are at most {@code retryRatio} times the first attempts, plus {@code minRetriesPerSecond}
     * for each second of the {@code ttl}. Every ratio is kept exactly. Linkerd's own budget counts in whole tokens and
     * rounds ratios that are not 1/n up: 0.9 to 1, 0.4 to 0.5.
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
     * Whether so many retries are allowed.
     *
     * @param retries all of them ever, the one in question included
     * @param firsts all first attempts ever
     */
    boolean allows(long retries, long firsts, TrafficWindow shareWindow, TrafficWindow floorWindow) {
        long inShare = retries - shareWindow.retriesBefore();
        return (inShare <= floorInShare && retries - floorWindow.retriesBefore() <= floor)
                || shareAllows(inShare - onTop, firsts - shareWindow.firstsBefore());
    }

    /** Exact: the products have 128 bits. */
    private boolean shareAllows(long retries, long firsts) {
        long left = Math.multiplyHigh(retries, denominator);
        long right = Math.multiplyHigh(firsts, numerator);
        return left < right || (left == right && Long.compareUnsigned(retries * denominator, firsts * numerator) <= 0);
    }

    /** How many more retries are allowed at once; empty for any number. */
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
