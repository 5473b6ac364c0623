package dev.poolkeeper.lab.retries;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;

/** The backend of one run. It does not notice when a client gives up: every attempt is processed. */
final class SimulatedBackend implements Upstream {

    private static final int OVERLOADED = 503;
    private static final int THROTTLED = 429;
    private static final long REFUSAL_NANOS = 1_000_000;

    private final Scenario scenario;
    private final Time time;
    private final long start;
    private final Draws draws;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private int busy;
    private double tokens;
    private long refilledAt;

    /** An attempt that waits for a worker. */
    private record Waiting(int route, IntConsumer answer) {}

    SimulatedBackend(Scenario scenario, Time time, Draws draws) {
        this.scenario = scenario;
        this.time = time;
        this.start = time.nanoTime();
        this.draws = draws;
        this.tokens = scenario.backend().burst().orElse(0);
    }

    @Override
    public void send(ClientRequest request, IntConsumer answer) {
        request.tally().attempted(now(), request.attempts() > 0);
        request.attempted();
        receive(request.route(), answer);
    }

    private void receive(int route, IntConsumer answer) {
        if (scenario.backend().burst().isPresent() && !takesToken()) {
            after(REFUSAL_NANOS, () -> answer.accept(THROTTLED));
        } else if (scenario.backend().workers().isEmpty() || busy < workers()) {
            work(route, answer);
        } else if (waiting.size() < scenario.backend().queue()) {
            waiting.add(new Waiting(route, answer));
        } else {
            after(REFUSAL_NANOS, () -> answer.accept(OVERLOADED));
        }
    }

    /** The time until the next token, in nanoseconds, as a Retry-After would tell it. */
    long untilNextToken() {
        double missing = 1 - tokens;
        double refill = scenario.backend().refill();
        return missing <= 0 || refill <= 0 ? 0 : (long) (missing / refill * 1e9) + 1;
    }

    /** Nanoseconds since the start. */
    private long now() {
        return time.nanoTime() - start;
    }

    private void after(long nanos, Runnable action) {
        time.schedule(Duration.ofNanos(nanos), action);
    }

    private int workers() {
        return scenario.backend().workers().orElse(Integer.MAX_VALUE);
    }

    private void work(int route, IntConsumer answer) {
        busy++;
        Scenario.Backend law = scenario.backend();
        double nanos =
                draws.latency((double) law.p50().toNanos(), (double) law.p99().toNanos())
                        * scenario.latencyFactor(now());
        int status = draws.succeeds(scenario.success(route, now())) ? OK : law.status();
        after((long) nanos, () -> {
            busy--;
            answer.accept(status);
            Waiting next = waiting.poll();
            if (next != null) {
                work(next.route(), next.answer());
            }
        });
    }

    private boolean takesToken() {
        double burst = scenario.backend().burst().orElse(0);
        tokens = Math.min(
                burst, tokens + (now() - refilledAt) / 1e9 * scenario.backend().refill());
        refilledAt = now();
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
