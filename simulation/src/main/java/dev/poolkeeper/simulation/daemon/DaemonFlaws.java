package dev.poolkeeper.simulation.daemon;

import java.util.Set;

/**
 * Bugs that can be planted into a daemon, to check that each is caught.
 *
 * @param planted the planted bugs
 */
public record DaemonFlaws(Set<Flaw> planted) {

    /** No bugs. */
    public static final DaemonFlaws NONE = new DaemonFlaws(Set.of());

    /** A bug. */
    public enum Flaw {
        /** A thread dies of an unexpected change. */
        DIES,
        /** A Lease with its identity counts as its own, regardless of the writer. */
        GOES_BY_IDENTITY,
        /** After leadership is won, it is assumed until a loss is reported. */
        BELIEVES_IN_LEADERSHIP,
        /** Writes carry no {@code If-Match}. */
        WRITES_UNCONDITIONALLY,
        /** Entries that stay are renamed. */
        FORGETS_ENTRIES,
        /** A node gets the addresses of another one. */
        MIXES_UP_NODES,
        /** A slice counts as all of its Service's slices. */
        KNOWS_ONE_SLICE,
        /** The known state is dropped before it is listed again. */
        FORGETS_ON_RELIST,
        /** A write returns before its operation has ended. */
        ANSWERS_EARLY,
        /** A 429 closes no gate and parks nothing. */
        IGNORES_THROTTLING,
        /** What ARM reports of the quota is not read. */
        IGNORES_QUOTA,
        /** The budget admits every retry. */
        ENDLESS_BUDGET,
        /** The budget refuses every retry across ticks. */
        EMPTY_BUDGET,
        /** Some updates use an earlier desired state. */
        REVIVES_OLD_STATE,
        /** Every outcome is counted and reported twice. */
        COUNTS_TWICE,
        /** Every fourth change of a slice is lost. */
        LOSES_CHANGES,
        /** Some reads and listings omit one of a pool's addresses. */
        MISREADS,
        /** Listings are assumed to show the desired state. */
        ADOPTS_NOTHING,
        /** A process that finds a leader at its start never tries to become leader. */
        NEVER_STANDS_AGAIN,
        /** Pools are never compared. */
        NEVER_RESYNCS,
        /** Retries ignore budget, gate and limit. */
        RETRIES_FOR_EVER,
        /** Pauses by annotations are ignored. */
        IGNORES_PAUSES,
        /** Pauses by the operator are ignored. */
        IGNORES_OPERATORS,
        /** A write that removes adds nothing. */
        HOLDS_ADDITIONS,
        /** The number of addresses removed at once is not limited. */
        NEVER_BRAKES,
        /** A pool that another writer keeps changing back is written as often as any other. */
        NEVER_BACKS_OFF,
        /** The failure of an accepted write is not reported. */
        HIDES_FAILURES,
        /** After a 403 the waits do not get longer. */
        ASKS_AGAIN_SOON,
        /** Every write counts as a success. */
        BELIEVES_IN_WRITES,
        /** Renewals of the resource lock are not sent, and count as accepted. */
        RENEWS_IN_NAME_ONLY,
        /** The resource lock is never released. */
        KEEPS_THE_LOCK,
        /** Writes go to a load balancer of another cluster. */
        STRAYS,
        /** A readiness gate is opened although it should stay closed. */
        OPENS_GATES,
        /** Retry policies that are not valid are read as if they were. */
        OBEYS_INVALID_POLICIES,
        /** Statuses of policies are written again immediately. */
        REPEATS_STATUSES,
        /** Successes are not reported. */
        HIDES_SUCCESSES,
        /** Only the first three Events are written. */
        FALLS_SILENT,
        /** A refused request is logged with all its headers. */
        LOGS_HEADERS,
        /** Updates start only at ticks, not as soon as possible. */
        STARTS_AT_TICKS,
        /** The deletion of a Service goes unnoticed. */
        NEVER_FORGETS,
        /** A pause of one Service pauses all that share a pool with it. */
        PAUSES_NEIGHBOURS,
        /** Once the API server has refused to write a Pod, others are not written for half a minute. */
        STOPS_AT_REFUSALS,
        /** Slices of other namespaces that name a Pod keep its gate closed. */
        ASKS_OTHER_NAMESPACES,
        /** The brake holds what is far below the allowed share. */
        BRAKES_EARLY,
        /** The brake holds ten times as long as configured. */
        BRAKES_FOR_LONG,
        /** The names of all nodes that were ever named are kept. */
        REMEMBERS_NODES,
        /** The duration of the resource lock's Lease stays as the process wrote it. */
        LEAVES_ITS_DURATION,
        /** Each hold is reported again with another text. */
        REPEATS_HOLDS,
        /** Holds are not reported. */
        HIDES_HOLDS,
        /** A hold is reported to a Service once, and never again after its end. */
        REPORTS_HOLDS_ONCE,
        /** Retries are counted, and not reported. */
        HIDES_RETRIES,
        /** Updates that are given up are counted, and not reported. */
        HIDES_GIVING_UP,
        /** Each success is reported again with another text. */
        REPEATS_SUCCESSES,
        /** Writes that succeed are neither counted nor reported. */
        FORGETS_SUCCESSES
    }

    public boolean has(Flaw flaw) {
        return planted.contains(flaw);
    }
}
