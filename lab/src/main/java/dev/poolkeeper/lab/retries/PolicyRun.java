package dev.poolkeeper.lab.retries;

import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One policy on one scenario: the client's side. Used once. */
final class PolicyRun {

    private static final int THROTTLED = 429;
    private static final int LANES = 8;
    private static final Duration AFTERMATH = Duration.ofMinutes(10);
    private static final int TICKS_OF_AFTERMATH = 50;

    private final Scenario scenario;
    private final String name;
    private final Draws draws;
    private final FakeTime time;
    private final long start;
    private final SimulatedBackend backend;
    private final RetryModel retries;
    private final Tally tally;
    private final long end;
    private final Deque<Request> inTick = new ArrayDeque<>();
    private List<Request> untilTick = new ArrayList<>();
    private int lanesBusy;
    private long gateShutUntil;

    /** One request with all that becomes of it. */
    private static final class Request {
        final long begun;
        int attempts;
        int ticksTried;
        int underWay;

        @Nullable
        Exchange exchange;

        /** What the budget across ticks counts while this request is in a lane. */
        InProgress counted = () -> {};

        Request(long begun) {
            this.begun = begun;
        }

        Exchange exchange() {
            if (exchange == null) {
                throw new IllegalStateException("nothing was sent yet");
            }
            return exchange;
        }
    }

    /** @param index the run's among the scenario's */
    PolicyRun(Scenario scenario, int index, long seed) {
        this.scenario = scenario;
        this.name = scenario.policies().get(index).name();
        this.draws = new Draws(seed, index);
        this.time = new FakeTime(Instant.EPOCH, draws::jitter);
        this.start = time.nanoTime();
        this.backend = new SimulatedBackend(scenario, time, draws);
        this.retries = new RetryModel(scenario.policies().get(index).settings(), time);
        this.tally = new Tally(scenario.duration());
        this.end = scenario.duration().toNanos();
    }

    PolicyResult run() {
        planArrival();
        if (isTicking()) {
            planTick();
        }
        time.advance(scenario.duration()
                .plus(AFTERMATH)
                .plus(scenario.workload().tick().multipliedBy(TICKS_OF_AFTERMATH)));
        return tally.result(name, scenario.duration());
    }

    /** Since the start. */
    private long now() {
        return time.nanoTime() - start;
    }

    private void after(long nanos, Runnable action) {
        time.schedule(Duration.ofNanos(nanos), action);
    }

    private boolean isTicking() {
        return scenario.workload().tick().isPositive();
    }

    private void planArrival() {
        double rps = scenario.rps(now());
        if (rps <= 0) {
            after(end / Tally.STRETCHES + 1, this::planArrivalBeforeEnd);
            return;
        }
        long wait = (long) Math.min(draws.untilNextArrival(rps) * 1e9, Long.MAX_VALUE / 4.0);
        if (now() + wait < end) {
            after(wait, this::arrive);
        }
    }

    private void planArrivalBeforeEnd() {
        if (now() < end) {
            planArrival();
        }
    }

    private void arrive() {
        tally.requested();
        Request request = new Request(now());
        if (isTicking()) {
            untilTick.add(request);
        } else {
            request.exchange = retries.calls().begin(CallContext.unbound());
            send(request);
        }
        planArrival();
    }

    private void planTick() {
        after(scenario.workload().tick().toNanos(), () -> {
            inTick.addAll(untilTick);
            untilTick = new ArrayList<>();
            sendNextOfTick();
            planTick();
        });
    }

    /** As the updater does: refused and gated requests wait for the next tick, retried ones withdraw as a whole. */
    private void sendNextOfTick() {
        while (lanesBusy < LANES && !inTick.isEmpty()) {
            Request request = inTick.remove();
            if (now() < gateShutUntil) {
                untilTick.add(request);
            } else if (request.ticksTried == 0) {
                request.counted = retries.acrossTicks().deposit();
                request.exchange = retries.calls().begin(CallContext.unbound());
                lanesBusy++;
                send(request);
            } else if (withdraws(request)) {
                request.exchange = retries.calls().begin(new CallContext(Term.untilEnded(), true, null));
                lanesBusy++;
                send(request);
            } else {
                tally.refused(now());
                untilTick.add(request);
            }
        }
    }

    private boolean withdraws(Request request) {
        Optional<InProgress> admitted = retries.acrossTicks().tryWithdraw();
        admitted.ifPresent(retry -> request.counted = retry);
        return admitted.isPresent();
    }

    private void send(Request request) {
        tally.attempted(now(), request.attempts > 0);
        int attempt = ++request.attempts;
        request.underWay = attempt;
        backend.send(status -> {
            if (request.underWay == attempt) {
                answered(request, status);
            }
        });
        request.exchange()
                .attemptTimeout()
                .ifPresent(limit -> after(limit.toNanos(), () -> {
                    if (request.underWay == attempt) {
                        request.underWay = 0;
                        decided(request, request.exchange().afterConnectionError(), 0);
                    }
                }));
    }

    private void answered(Request request, int status) {
        request.underWay = 0;
        if (status == SimulatedBackend.OK) {
            tally.attemptSucceeded();
            request.exchange().end();
            ended(request, true);
        } else {
            decided(request, request.exchange().afterStatus(status), status);
        }
    }

    private void decided(Request request, Decision decision, int status) {
        switch (decision) {
            case Decision.Retry(Duration delay) -> after(delay.toNanos(), () -> send(request));
            case Decision.GiveUp(Reason reason) -> {
                if (reason == Reason.BUDGET_REFUSED) {
                    tally.refused(now());
                }
                gaveUp(request, status);
            }
        }
    }

    private void gaveUp(Request request, int status) {
        if (isTicking() && status == THROTTLED) {
            gateShutUntil = Math.max(gateShutUntil, now() + backend.untilNextToken());
            if (request.ticksTried < scenario.workload().maxRetries()) {
                request.ticksTried++;
                untilTick.add(request);
                leavesLane(request);
                return;
            }
        }
        ended(request, false);
    }

    private void ended(Request request, boolean success) {
        tally.finished(now(), success, now() - request.begun, request.attempts);
        leavesLane(request);
    }

    private void leavesLane(Request request) {
        if (isTicking()) {
            request.counted.close();
            lanesBusy--;
            sendNextOfTick();
        }
    }
}
