package dev.poolkeeper.core.engine;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.Backlog;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.HoldCauses;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.State;
import dev.poolkeeper.core.pool.TestPools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every course of a pool that Services of two namespaces share: all events in all situations that they lead to, against
 * a model that knows only counts, and whether it waits for the clock or for a guard.
 */
class StatesTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web-api");
    private static final List<ServiceName> SERVICES =
            List.of(new ServiceName("shop", "web-api"), new ServiceName("shop-web", "api"));
    private static final int MAX_RETRIES = 1;
    private static final Decisions DECISIONS = new Decisions(UpdateModel.DESIRED_STATE, MAX_RETRIES, true);
    private static final Fact.Attempt ATTEMPT = new Fact.Attempt(POOL, null);
    private static final Plan PLAN = new Plan(POOL, SERVICES, AddressSet.empty(), AddressSet.of("10.0.0.1"));
    private static final HoldCause HELD = HoldCauses.of(HoldCause.By.SAFETY_BRAKE);
    private static final Duration MAX_WAIT = RetryAfter.MAX_WAIT;

    /** What happens to a pool, as the table says it; the first four to one of its Services. */
    private enum Event {
        QUEUED("an operation is queued"),
        LEFT("a Service leaves"),
        JOINED("a Service comes"),
        TOUCHED("an event of an EndpointSlice arrives"),
        FOUND("a listing shows it as wanted"),
        TAKEN("a lane takes what waits"),
        WRITTEN("the pool is written, or found as wanted"),
        RETRIABLE("the attempt fails and may be retried"),
        TERMINAL("the attempt fails for good"),
        STALE("the pool is not found"),
        THROTTLED("the gate of ARM's throttling refuses the call"),
        KEPT("the attempt comes to no end"),
        HELD("a guard holds the update"),
        ENDED("the term ends"),
        TIME_PASSES("time passes"),
        RELEASED("the guard, which each tick asks again, lets the update go");

        private final String text;

        Event(String text) {
            this.text = text;
        }
    }

    /**
     * What the model knows of one Service.
     *
     * @param waiting the number of failed attempts of its operation that waits; null for none
     * @param parked whether that one has an instant of its own to wait for
     * @param inHand as waiting, of the one that a lane has taken
     */
    private record One(
            boolean local,
            @Nullable Integer waiting,
            boolean parked,
            @Nullable Integer inHand,
            boolean failed) {

        One queued() {
            return local ? new One(true, 0, parked, inHand, failed) : this;
        }

        One left() {
            return new One(false, null, false, inHand, false);
        }

        One joined() {
            return new One(true, waiting, parked, inHand, failed);
        }

        One taken() {
            return new One(local, null, false, waiting, failed);
        }

        One dropped() {
            return new One(local, null, false, inHand, failed);
        }

        /** @param again the number of failed attempts from now on; null if it is not tried again */
        One ended(@Nullable Integer again, boolean fails) {
            if (inHand == null || !local) {
                return new One(local, waiting, parked, null, failed);
            }
            return new One(local, waiting == null ? again : waiting, parked, null, fails);
        }

        One parkedIf(boolean now) {
            return new One(local, waiting, now, inHand, failed);
        }

        One after(Event event) {
            Integer tried = inHand;
            return switch (event) {
                case QUEUED -> queued();
                case LEFT -> left();
                case JOINED -> joined();
                case TOUCHED -> new One(local, waiting, parked, inHand, false);
                case FOUND -> dropped();
                case TAKEN -> taken();
                case WRITTEN -> ended(null, false);
                case RETRIABLE -> tried != null && tried < MAX_RETRIES ? ended(tried + 1, failed) : ended(null, true);
                case TERMINAL -> ended(null, true);
                case STALE -> ended(null, failed);
                case THROTTLED -> ended(tried, failed).parkedIf(parked || tried != null && local);
                case KEPT, HELD -> ended(tried, failed);
                case ENDED -> new One(local, null, false, null, failed);
                case TIME_PASSES -> parkedIf(false);
                case RELEASED -> this;
            };
        }

        boolean isQueued() {
            return waiting != null;
        }

        boolean isInHand() {
            return inHand != null;
        }
    }

    /**
     * What the model knows of the pool.
     *
     * @param rests whether all that waits, and what arrives, waits for an instant
     * @param held whether a guard holds what waits
     * @param kept whether the last attempt came to no end
     */
    private record Model(One first, One second, boolean rests, boolean held, boolean kept) {

        One of(int service) {
            return service == 0 ? first : second;
        }

        private boolean any(Predicate<One> condition) {
            return condition.test(first) || condition.test(second);
        }

        String state() {
            return any(One::isInHand)
                    ? "InHand"
                    : any(One::isQueued) ? "Waiting" : any(One::failed) ? "GaveUp" : "Idle";
        }

        boolean waitsForTime() {
            return rests || any(One::parked);
        }

        boolean allows(Event event, int service) {
            return switch (event) {
                case QUEUED, LEFT, TOUCHED -> of(service).local();
                case FOUND -> state().equals("Waiting");
                case JOINED -> !of(service).local();
                case TAKEN -> state().equals("Waiting") && !waitsForTime() && !held;
                case WRITTEN, RETRIABLE, TERMINAL, STALE, THROTTLED, KEPT, HELD -> any(One::isInHand);
                case ENDED -> true;
                case TIME_PASSES -> waitsForTime();
                case RELEASED -> held;
            };
        }

        Model after(Event event, int service) {
            boolean isOfOne = event.compareTo(Event.TOUCHED) <= 0;
            return new Model(
                            isOfOne && service != 0 ? first : first.after(event),
                            isOfOne && service != 1 ? second : second.after(event),
                            rests,
                            held,
                            kept)
                    .waiting(event)
                    .tidied();
        }

        private Model waiting(Event event) {
            return switch (event) {
                case RETRIABLE, TERMINAL, STALE, THROTTLED -> new Model(first, second, true, false, false);
                case KEPT -> new Model(first, second, rests || kept, false, true);
                case HELD -> new Model(first, second, rests, true, false);
                case WRITTEN -> new Model(first, second, rests, held, false);
                case TAKEN, RELEASED -> new Model(first, second, rests, false, kept);
                case TIME_PASSES -> new Model(first, second, false, held, kept);
                case ENDED -> new Model(first, second, false, false, false);
                case QUEUED, LEFT, JOINED, TOUCHED, FOUND -> this;
            };
        }

        private Model tidied() {
            boolean waits = any(One::isQueued);
            return new Model(first, second, rests, held && waits, kept && (waits || any(One::isInHand)));
        }
    }

    /** A pool at a time. */
    private record Situation(Pool pool, Instant now) {

        Situation after(Event event, ServiceName service) {
            return new Situation(
                    StatesTest.after(pool, event, service, now), event == Event.TIME_PASSES ? now.plus(MAX_WAIT) : now);
        }

        Instant eligibleAt() {
            return pool.backlog().eligibleAt(Duration.ZERO);
        }
    }

    private static Pool after(Pool pool, Event event, ServiceName service, Instant now) {
        Moment when = new Moment(now, Optional.of(now.plusSeconds(5)));
        return switch (event) {
            case QUEUED -> queued(pool, service, now);
            case LEFT ->
                pool.without(service)
                        .withBacklog(it -> it.without(
                                pending -> pending.operation().service().equals(service)));
            case JOINED -> pool.wanting(TestPools.want(service, POOL));
            case TOUCHED -> pool.withoutFailed(service);
            case FOUND -> pool.withBacklog(it -> it.without(pending -> true));
            case TAKEN -> pool.taken();
            case WRITTEN -> finished(DECISIONS.updated(pool, inHand(pool), PLAN, ATTEMPT));
            case RETRIABLE -> failed(pool, new Failure.Conflict(ArmError.ofStatus(409)), when);
            case TERMINAL -> failed(pool, Failure.Other.terminal("no"), when);
            case STALE -> failed(pool, Failure.ofStatus(404, null, ArmError.ofStatus(404)), when);
            case THROTTLED -> failed(pool, Failure.Throttled.atGate(Instant.MAX), when);
            case KEPT -> finished(Decisions.kept(pool, inHand(pool), when));
            case HELD -> finished(Decisions.held(pool, inHand(pool), HELD, when));
            case ENDED -> pool.withBacklog(Backlog::idle);
            case TIME_PASSES -> pool;
            case RELEASED -> pool.withBacklog(it -> it.released(now));
        };
    }

    private static Pool queued(Pool pool, ServiceName service, Instant now) {
        return pool.backlog().hasSync(service)
                ? pool.withBacklog(it -> it.changed(service, now))
                : pool.withBacklog(
                        it -> it.appended(PendingOperation.fresh(new Operation.Sync(service, POOL), 0, now)));
    }

    private static OperationGroup inHand(Pool pool) {
        return pool.group().orElseThrow();
    }

    private static Pool failed(Pool pool, Failure failure, Moment when) {
        return finished(DECISIONS.afterFailure(pool, inHand(pool), failure, when, ATTEMPT));
    }

    private static Pool finished(Decision decision) {
        return decision.pool().withBacklog(Backlog::finished);
    }

    private static String name(State state) {
        return state.getClass().getSimpleName();
    }

    private static Map<ServiceName, Integer> counts(Stream<PendingOperation> operations) {
        return operations.collect(toMap(pending -> pending.operation().service(), PendingOperation::retryCount));
    }

    /** What waits can be tried now, at an instant, or when a guard lets it go. */
    private static void assertThatEnds(Situation situation, Model model) {
        Instant eligibleAt = situation.eligibleAt();
        if (model.held()) {
            assertThat(situation.pool().backlog().isHeldByGuard())
                    .as("asked again by each tick")
                    .isTrue();
            assertThat(eligibleAt).isEqualTo(Instant.MAX);
        } else {
            assertThat(eligibleAt).isBeforeOrEqualTo(situation.now().plus(MAX_WAIT));
            assertThat(eligibleAt.isAfter(situation.now())).as("waits").isEqualTo(model.waitsForTime());
        }
    }

    private static void assertThatAgrees(Pool pool, Model model) {
        Map<ServiceName, Integer> waiting = new HashMap<>();
        Map<ServiceName, Integer> inHand = new HashMap<>();
        Set<ServiceName> failed = new HashSet<>();
        for (int service = 0; service < 2; service++) {
            One one = model.of(service);
            if (one.waiting() != null) {
                waiting.put(SERVICES.get(service), one.waiting());
            }
            if (one.inHand() != null) {
                inHand.put(SERVICES.get(service), one.inHand());
            }
            if (one.failed()) {
                failed.add(SERVICES.get(service));
            }
        }
        assertThat(name(pool.state())).isEqualTo(model.state());
        assertThat(counts(pool.backlog().waiting().stream())).isEqualTo(waiting);
        assertThat(counts(Stream.ofNullable(pool.backlog().inHand()).flatMap(group -> group.operations().stream())))
                .isEqualTo(inHand);
        assertThat(pool.failed()).isEqualTo(failed);
    }

    /** Each situation that so many Services can bring about, with those that an event leads to. */
    private static Map<Model, Map<Event, Set<Model>>> situations(int services) {
        One absent = new One(false, null, false, null, false);
        Model start = new Model(absent, absent, false, false, false);
        Map<Model, Situation> reached = new HashMap<>(Map.of(start, new Situation(new Pool(POOL, 0), Instant.EPOCH)));
        Map<Model, Map<Event, Set<Model>>> situations = new HashMap<>();
        Queue<Model> open = new ArrayDeque<>(List.of(start));
        while (!open.isEmpty()) {
            Model before = open.remove();
            Map<Event, Set<Model>> next = new TreeMap<>();
            situations.put(before, next);
            for (Event event : Event.values()) {
                for (int service = 0; service < services; service++) {
                    if (before.allows(event, service)) {
                        Model after = before.after(event, service);
                        Situation situation = reached.get(before).after(event, SERVICES.get(service));
                        assertThatAgrees(situation.pool(), after);
                        if (after.state().equals("Waiting")) {
                            assertThatEnds(situation, after);
                        }
                        next.computeIfAbsent(event, key -> new HashSet<>()).add(after);
                        if (reached.putIfAbsent(after, situation) == null) {
                            open.add(after);
                        }
                    }
                }
            }
        }
        return situations;
    }

    private static Set<String> documented() throws IOException {
        return Files.readAllLines(Path.of("../docs/how-it-works.md")).stream()
                .dropWhile(line -> !line.equals("## A pool's life"))
                .takeWhile(line -> !line.equals("## Why a pool differs from what is wanted"))
                .filter(line -> line.startsWith("| `"))
                .collect(toCollection(TreeSet::new));
    }

    @Test
    @Rule(
            id = "J44",
            says = "A pool is idle, waits, is in hand or was given up. What leads from one state to another is a table,"
                    + " and no course of events leads elsewhere.",
            source = "ours")
    void all_courses_are_those_of_the_table() throws IOException {
        Map<Model, Map<Event, Set<Model>>> situations = situations(1);
        Map<String, Set<String>> rows = new TreeMap<>();
        situations.forEach((before, next) -> next.forEach((event, all) -> all.forEach(after -> {
            if (!before.state().equals(after.state())) {
                rows.computeIfAbsent("| `%s` | %s | ".formatted(before.state(), event.text), key -> new TreeSet<>())
                        .add("`" + after.state() + "`");
            }
        })));
        Set<String> table = rows.entrySet().stream()
                .map(row -> row.getKey() + String.join(", ", row.getValue()) + " |")
                .collect(toCollection(TreeSet::new));
        assertThat(documented()).isEqualTo(table);
    }

    @Test
    void what_two_services_share_ends_without_a_change_of_the_cluster_or_the_term() {
        Map<Model, Map<Event, Set<Model>>> situations = situations(2);
        Set<Event> byItself = EnumSet.of(Event.TAKEN, Event.WRITTEN, Event.TIME_PASSES, Event.RELEASED);
        for (Model model : situations.keySet()) {
            Model now = model;
            for (int steps = 0;
                    steps < 6 && (now.state().equals("InHand") || now.state().equals("Waiting"));
                    steps++) {
                Map<Event, Set<Model>> next = situations.get(now);
                now = byItself.stream()
                        .filter(next::containsKey)
                        .map(event -> next.get(event).iterator().next())
                        .findFirst()
                        .orElseThrow();
            }
            assertThat(now.state()).as("after %s", model).isIn("Idle", "GaveUp");
        }
        assertThat(situations.size()).as("situations").isGreaterThan(200);
    }
}
