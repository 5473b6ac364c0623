package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.engine.Decision.Next;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.Verdict;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.HoldCauses;
import dev.poolkeeper.core.pool.Operation;
import dev.poolkeeper.core.pool.OperationGroup;
import dev.poolkeeper.core.pool.PendingOperation;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each decision of an attempt: of a pool and what came back, what is done next, what is said and what state follows.
 */
class DecisionsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final AddressSet OLD = AddressSet.of("10.0.0.1", "10.0.0.2");
    private static final AddressSet NEW = AddressSet.of("10.0.0.2", "10.0.0.3");
    private static final AddressSet LESS = AddressSet.of("10.0.0.1", "10.0.0.2", "10.0.0.3");
    private static final Fact.Attempt ATTEMPT = new Fact.Attempt(POOL, null);
    private static final Moment WHEN = new Moment(Instant.EPOCH, Optional.of(Instant.EPOCH.plusSeconds(30)));
    private static final HoldCause BRAKE = HoldCauses.of(HoldCause.By.SAFETY_BRAKE);
    private static final Decisions DECISIONS = new Decisions(UpdateModel.DESIRED_STATE, 1, true);

    private static Pool wanting(Pool pool, ServiceName service, boolean paused) {
        return pool.wanting(new Want(service, POOL, NEW, true, true, true, paused))
                .withBacklog(it -> it.appended(
                        PendingOperation.fresh(new Operation.Sync(service, POOL), it.size(), Instant.EPOCH)));
    }

    /** Its Service's update is in hand. */
    private static Pool inHand() {
        return wanting(new Pool(POOL, 0), WEB, false).taken();
    }

    private static OperationGroup group(Pool pool) {
        return pool.group().orElseThrow();
    }

    private static Reply<BackendPool> reply(String name) {
        return switch (name) {
            case "old" -> Reply.ok(found(OLD, ProvisioningState.SUCCEEDED));
            case "new" -> Reply.ok(found(NEW, ProvisioningState.SUCCEEDED));
            case "less" -> Reply.ok(found(LESS, ProvisioningState.SUCCEEDED));
            case "foreign" -> Reply.ok(found(AddressSet.of("10.0.0.9"), ProvisioningState.SUCCEEDED));
            case "updating" -> Reply.ok(found(NEW, ProvisioningState.UPDATING));
            case "broken" -> Reply.ok(found(NEW, ProvisioningState.FAILED));
            case "conflict" -> Reply.failed(new Failure.Conflict(ArmError.ofStatus(409)));
            case "terminal" -> Reply.failed(Failure.Other.terminal("no"));
            case "not found" -> Reply.failed(Failure.ofStatus(404, null, ArmError.ofStatus(404)));
            case "throttled" -> Reply.failed(Failure.Throttled.atGate(Instant.MAX));
            default -> Reply.failed(Failure.Cancelled.atFence());
        };
    }

    private static BackendPool found(AddressSet addresses, ProvisioningState provisioning) {
        return new BackendPool(POOL, addresses, null, null, provisioning, Optional.empty());
    }

    private static Next.Ask ask(Pool pool, String read) {
        BackendPool found = ((Reply.Ok<BackendPool>) reply(read)).value();
        return new Next.Ask(group(pool), found, new Plan(POOL, List.of(WEB), found.addresses(), NEW));
    }

    private static void assertDecision(Decision decision, String next, @Nullable String facts, String state) {
        Pool after = decision.next() instanceof Next.End
                ? decision.pool().withBacklog(it -> it.finished())
                : decision.pool();
        assertThat(name(decision.next())).isEqualTo(next);
        assertThat(decision.facts().stream()
                        .map(fact -> fact.getClass().getSimpleName())
                        .collect(Collectors.joining(" ")))
                .isEqualTo(facts == null ? "" : facts);
        assertThat(after.state().getClass().getSimpleName()).isEqualTo(state);
    }

    private static String name(Next next) {
        return switch (next) {
            case Next.Read read -> read.isWhole() ? "read" : "read a part";
            case Next.Ask ask -> ask.isDone() ? "nothing to write" : "ask";
            case Next.Write write -> write.rest().isPresent() ? "write a part" : "write";
            case Next.End(boolean isAsked) -> isAsked ? "ask again" : "end";
        };
    }

    @ParameterizedTest
    @CsvSource({
        "local, none, read,, InHand",
        "gone, none, end,, Idle",
        "paused, none, read,, InHand", // the guard holds the whole
        "local, local, read,, InHand",
        "local, paused, read a part, HoldReported HoldReported HoldBegan, InHand",
        "paused, local, read a part, HoldReported HoldReported HoldBegan, InHand"
    })
    void begin(String web, String api, String next, @Nullable String facts, String state) {
        Pool pool = wanting(new Pool(POOL, 0), WEB, web.equals("paused"));
        pool = (api.equals("none") ? pool : wanting(pool, API, api.equals("paused"))).taken();
        pool = web.equals("gone") ? pool.without(WEB) : pool;
        assertDecision(Decisions.begin(pool, group(pool), WHEN), next, facts, state);
    }

    @ParameterizedTest
    @CsvSource({
        "old, ask,, InHand",
        "new, nothing to write,, InHand",
        "broken, ask,, InHand",
        "updating, end, Retrying, Waiting",
        "conflict, end, Retrying, Waiting",
        "terminal, end, GaveUp, GaveUp",
        "not found, end, Dropped, Idle",
        "throttled, end,, Waiting",
        "at the fence, end,, Waiting"
    })
    void after_read(String reply, String next, @Nullable String facts, String state) {
        Pool pool = inHand();
        assertDecision(DECISIONS.afterRead(pool, group(pool), reply(reply), WHEN, ATTEMPT), next, facts, state);
        Pool left = pool.without(WEB);
        assertDecision(DECISIONS.afterRead(left, group(left), reply(reply), WHEN, ATTEMPT), "end", null, "Idle");
    }

    @Test
    void what_arrived_before_the_read_is_included_unless_ticks_pace_it() {
        Pool pool = wanting(inHand(), API, false);
        OperationGroup group = group(pool);
        assertThat(DECISIONS.afterRead(pool, group, reply("old"), WHEN, ATTEMPT).next())
                .isInstanceOfSatisfying(Next.Ask.class, ask -> {
                    assertThat(ask.group().services()).containsExactly(WEB, API);
                    assertThat(ask.plan()).isEqualTo(new Plan(POOL, List.of(WEB, API), OLD, NEW));
                });
        assertThat(new Decisions(UpdateModel.DESIRED_STATE, 1, false)
                        .afterRead(pool, group, reply("old"), WHEN, ATTEMPT)
                        .next())
                .isInstanceOfSatisfying(
                        Next.Ask.class, ask -> assertThat(ask.group()).isEqualTo(group));
    }

    @ParameterizedTest
    @CsvSource({
        "new, go, true, end,, Idle",
        "old, go, true, write,, InHand",
        "old, go, false, end,, Waiting",
        "old, hold, true, end, HoldReported HoldBegan, Waiting",
        "old, some, true, write a part, HoldReported HoldBegan, InHand",
        "old, some, false, end, HoldReported HoldBegan, Waiting",
        "less, some, true, end, HoldReported HoldBegan, Waiting"
    })
    void after_verdict(
            String read, String answer, boolean mayStart, String next, @Nullable String facts, String state) {
        Pool pool = inHand();
        Verdict verdict = switch (answer) {
            case "go" -> Verdict.GO;
            case "hold" -> new Verdict.Hold(BRAKE);
            default -> new Verdict.GoWithLess(LESS, BRAKE);
        };
        Decision decision = DECISIONS.afterVerdict(pool, ask(pool, read), verdict, mayStart, WHEN, ATTEMPT);
        assertDecision(decision, next, facts, state);
        boolean isHeld = decision.next() instanceof Next.End && !verdict.equals(Verdict.GO) && mayStart;
        assertThat(decision.pool().backlog().isHeldByGuard()).isEqualTo(isHeld);
    }

    @ParameterizedTest
    @CsvSource({
        "new, whole, end, Written Updated, Idle",
        "less, part, ask again, Written, Waiting",
        "old, whole, end, Retrying, Waiting",
        "foreign, whole, end, Overwritten, Waiting",
        "foreign, part, end, Overwritten, Waiting",
        "broken, whole, end, Retrying, Waiting",
        "conflict, part, end, Retrying, Waiting",
        "terminal, whole, end, GaveUp, GaveUp",
        "not found, whole, end, Dropped, Idle",
        "throttled, whole, end,, Waiting",
        "at the fence, whole, end,, Waiting"
    })
    void after_write(String reply, String which, String next, @Nullable String facts, String state) {
        Pool pool = inHand();
        Next.Ask ask = ask(pool, "old");
        Next.Write write = which.equals("whole")
                ? new Next.Write(ask.found(), ask.plan(), Optional.empty())
                : new Next.Write(ask.found(), ask.with(LESS).plan(), Optional.of(BRAKE));
        assertDecision(DECISIONS.afterWrite(pool, group(pool), write, reply(reply), WHEN, ATTEMPT), next, facts, state);
    }

    @Test
    void what_was_held_is_let_go_if_nothing_is_left_of_it_after_the_write() {
        Pool held = Holds.hold(inHand(), List.of(WEB), BRAKE, Instant.EPOCH)
                .pool()
                .wanting(new Want(WEB, POOL, LESS, true, true, true, false));
        Next.Write write = new Next.Write(
                found(OLD, ProvisioningState.SUCCEEDED), new Plan(POOL, List.of(WEB), OLD, LESS), Optional.of(BRAKE));
        assertDecision(
                DECISIONS.afterWrite(held, group(held), write, reply("less"), WHEN, ATTEMPT),
                "end",
                "Written HoldEnded Updated",
                "Idle");
    }

    @ParameterizedTest
    @CsvSource({
        "PAUSE,, +1000000000-12-31T23:59:59.999999999Z",
        "SAFETY_BRAKE, 1970-01-01T00:00:07Z, 1970-01-01T00:00:07Z",
        "SAFETY_BRAKE, 1970-01-01T00:00:00Z, +1000000000-12-31T23:59:59.999999999Z",
        "RETRY_BUDGET,, 1970-01-01T00:00:30Z"
    })
    void a_hold_waits_until_its_guard_lets_it_go_with_either_pace(
            HoldCause.By by, @Nullable Instant until, Instant expected) {
        HoldCause because = until == null ? HoldCauses.of(by) : HoldCauses.braked(until);
        assertThat(WHEN.holdUntil(because)).contains(expected);
        Optional<Instant> withoutRest = new Moment(Instant.EPOCH, Optional.empty()).holdUntil(because);
        assertThat(withoutRest)
                .as("at the next tick the budget is asked again")
                .isEqualTo(Optional.of(expected).filter(any -> by != HoldCause.By.RETRY_BUDGET));
    }
}
