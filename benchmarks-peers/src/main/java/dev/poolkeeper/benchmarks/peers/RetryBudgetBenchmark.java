package dev.poolkeeper.benchmarks.peers;

import com.twitter.finagle.service.RetryBudget$;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.ports.retry.BudgetSettings;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.grpc.internal.GrpcThrottle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import software.amazon.awssdk.retries.internal.circuitbreaker.AwsTokenBucket;

/** One first attempt and one retry, {@code deposit} and {@code tryWithdraw}, on a budget that two threads share. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Threads(2)
@Fork(3)
@Warmup(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class RetryBudgetBenchmark {

    private final RetryBudget gatewayApi = RetryBudget.of(BudgetSettings.GatewayApi.STANZA_DEFAULT, System::nanoTime);
    private final RetryBudget linkerd = RetryBudget.of(BudgetSettings.Linkerd.DEFAULT, System::nanoTime);
    private final com.twitter.finagle.service.RetryBudget finagle = RetryBudget$.MODULE$.apply(
            com.twitter.util.Duration.fromSeconds(10), 10, 0.2, RetryBudget$.MODULE$.apply$default$4());
    private final RateLimiter resilience4j = RateLimiter.of(
            "retries",
            RateLimiterConfig.custom()
                    .limitForPeriod(10)
                    .limitRefreshPeriod(Duration.ofSeconds(1))
                    .timeoutDuration(Duration.ZERO)
                    .build());
    private final GrpcThrottle grpc = new GrpcThrottle();
    private final AwsTokenBucket aws = new AwsTokenBucket();

    /** What one look at the clock costs, without which there is no window. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }

    @Benchmark
    public Object poolkeeperGatewayApi() {
        gatewayApi.deposit();
        return gatewayApi.tryWithdraw();
    }

    @Benchmark
    public Object poolkeeperLinkerd() {
        linkerd.deposit();
        return linkerd.tryWithdraw();
    }

    @Benchmark
    public boolean finagleRetryBudget() {
        finagle.deposit();
        return finagle.tryWithdraw();
    }

    /** It has no deposit. */
    @Benchmark
    public boolean resilience4jRateLimiter() {
        return resilience4j.acquirePermission();
    }

    /** It has no window. */
    @Benchmark
    public boolean grpcRetryThrottle() {
        grpc.succeeded();
        return grpc.failedAndMayRetry();
    }

    /** It has no window. */
    @Benchmark
    public Object awsTokenBucket() {
        aws.succeeded();
        return aws.tryAcquire();
    }
}
