package dev.poolkeeper.lab.retries;

import dev.poolkeeper.core.retry.PolicyCallRetries;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryBudget.InProgress;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.lab.retries.Scenario.NamedPolicy;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The simulation of one policy on one scenario. Used once. */
final class PolicyRun {

    private static final int THROTTLED = 429;
    private static final int LANES = 8;
    private static final Duration AFTERMATH = Duration.ofMinutes(10);
    private static final int TICKS_OF_AFTERMATH = 50;
    private static final int HUNDRED = 100;

    private final Scenario scenario;
    private final String name;
    private final Draws draws;
    private final FakeTime time;
    private final long start;
    private final SimulatedBackend backend;
    private final RetryBudget acrossTicks;
    private final Caller client;
    private final Tally tally;
    private final List<Tally> ofRoutes;
    private final double[] shares;
    private final long end;
    private final Deque<Request> inTick = new ArrayDeque<>();
    private List<Request> untilTick = new ArrayList<>();
    private int lanesBusy;
    private long gateShutUntil;

    /** A request with its state. */
    private static final class Request {

        final ClientRequest sent;
        int ticksTried;

        /** The budget's record across ticks while this request is in a lane. */
        InProgress counted = () -> {};

        Request(ClientRequest sent) {
            this.sent = sent;
        }
    }

    /** @param index the index of the run in the scenario */
    PolicyRun(Scenario scenario, int index, long seed) {
        this.scenario = scenario;
        this.name = scenario.policies().get(index).name();
        this.draws = new Draws(seed, index);
        this.time = new FakeTime(Instant.EPOCH, draws::jitter);
        this.start = time.nanoTime();
        this.tally = new Tally(scenario.duration());
        this.ofRoutes = scenario.routeNames().stream()
                .map(route -> new Tally(scenario.duration(), tally))
                .toList();
        this.shares = scenario.workload().routes().stream()
                .mapToDouble(Scenario.Route::share)
                .toArray();
        this.backend = new SimulatedBackend(scenario, time, draws);
        NamedPolicy policy = scenario.policies().get(index);
        RetryBudget budget = policy.budget(time);
        this.acrossTicks = policy.isConstrained() ? budget : RetryBudget.ENDLESS;
        this.client = new Caller(calls(policy, budget), services(policy), time, observer(scenario.services() == 1));
        this.end = scenario.duration().toNanos();
    }

    /** The backend, behind the services before it, each of which calls the next one with its own budget. */
    private Upstream services(NamedPolicy policy) {
        Upstream next = backend;
        for (int service = scenario.services(); service > 1; service--) {
            Caller.Observer observer = observer(service == scenario.services());
            next = new Caller(calls(policy, policy.budget(time)), next, time, observer);
        }
        return next;
    }

    /** By the index of a route; all share one budget. */
    private List<CallRetries> calls(NamedPolicy policy, RetryBudget budget) {
        List<String> routes = scenario.workload().routes().isEmpty() ? List.of("") : scenario.routeNames();
        return routes.stream()
                .<CallRetries>map(route -> new PolicyCallRetries(policy.on(route), budget, time))
                .toList();
    }

    /** @param isBeforeBackend whether its attempts reach the backend */
    private Caller.Observer observer(boolean isBeforeBackend) {
        return new Caller.Observer() {
            @Override
            public void attemptSucceeded(ClientRequest request) {
                if (isBeforeBackend) {
                    request.tally().attemptSucceeded();
                }
            }

            @Override
            public void retryRefused(ClientRequest request) {
                request.tally().refused(now());
            }
        };
    }

    /**
     * Runs the simulation.
     *
     * @param follower called after each percent with the progress; returning false stops the run
     * @return empty if it was stopped
     */
    Optional<PolicyResult> run(IntPredicate follower) {
        planArrival();
        if (isTicking()) {
            planTick();
        }
        Duration slice = scenario.duration().dividedBy(HUNDRED);
        for (int done = 1; done <= HUNDRED; done++) {
            time.advance(slice);
            if (!follower.test(done)) {
                return Optional.empty();
            }
        }
        time.advance(scenario.duration()
                .minus(slice.multipliedBy(HUNDRED))
                .plus(AFTERMATH)
                .plus(scenario.workload().tick().multipliedBy(TICKS_OF_AFTERMATH)));
        List<PolicyResult> routes = IntStream.range(0, ofRoutes.size())
                .mapToObj(route ->
                        ofRoutes.get(route).result(scenario.routeNames().get(route), scenario.duration(), List.of()))
                .toList();
        return Optional.of(tally.result(name, scenario.duration(), routes));
    }

    /** Nanoseconds since the start. */
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
        int route = ofRoutes.isEmpty() ? 0 : draws.route(shares);
        Request request =
                new Request(new ClientRequest(now(), route, ofRoutes.isEmpty() ? tally : ofRoutes.get(route)));
        request.sent.tally().requested();
        if (isTicking()) {
            untilTick.add(request);
        } else {
            send(request, CallContext.unbound());
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

    /** Like the updater: refused and gated requests wait for the next tick, and a group of retries withdraws as one. */
    private void sendNextOfTick() {
        while (lanesBusy < LANES && !inTick.isEmpty()) {
            Request request = inTick.remove();
            if (now() < gateShutUntil) {
                untilTick.add(request);
            } else if (request.ticksTried == 0) {
                request.counted = acrossTicks.deposit();
                lanesBusy++;
                send(request, CallContext.unbound());
            } else if (withdraws(request)) {
                lanesBusy++;
                send(request, new CallContext(Term.untilEnded(), true, null));
            } else {
                request.sent.tally().refused(now());
                untilTick.add(request);
            }
        }
    }

    private boolean withdraws(Request request) {
        Optional<InProgress> admitted = acrossTicks.tryWithdraw();
        admitted.ifPresent(retry -> request.counted = retry);
        return admitted.isPresent();
    }

    private void send(Request request, CallContext context) {
        client.call(request.sent, context, status -> {
            if (status == Upstream.OK) {
                ended(request, true);
            } else {
                gaveUp(request, status);
            }
        });
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
        request.sent.tally().finished(now(), success, now() - request.sent.begun(), request.sent.attempts());
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
