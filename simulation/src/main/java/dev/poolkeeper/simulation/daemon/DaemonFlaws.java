package dev.poolkeeper.simulation.daemon;

import java.util.Set;

/**
 * Bugs that can be planted into a daemon, to see that each is caught.
 *
 * @param planted which ones
 */
public record DaemonFlaws(Set<Flaw> planted) {

    /** As it should be. */
    public static final DaemonFlaws NONE = new DaemonFlaws(Set.of());

    /** A bug. */
    public enum Flaw {
        /** A thread dies of a change that it did not expect. */
        DIES,
        /** A Lease that names it is taken for its own, whoever wrote it. */
        GOES_BY_IDENTITY,
        /** Leadership, once won, is believed in until somebody says that it is lost. */
        BELIEVES_IN_LEADERSHIP,
        /** Writes carry no {@code If-Match}. */
        WRITES_UNCONDITIONALLY,
        /** Entries that stay are named anew. */
        FORGETS_ENTRIES,
        /** A node's addresses are taken for those of another one. */
        MIXES_UP_NODES,
        /** A slice counts as all of its Service's slices. */
        KNOWS_ONE_SLICE,
        /** Everything is forgotten before it is listed again. */
        FORGETS_ON_RELIST,
        /** A write is answered before it ended. */
        ANSWERS_EARLY,
        /** A 429 shuts no gate and parks nothing. */
        IGNORES_THROTTLING,
        /** The budget admits every retry. */
        ENDLESS_BUDGET,
        /** Now and then an update is given what was wanted before. */
        REVIVES_OLD_STATE,
        /** Every outcome is counted and told twice. */
        COUNTS_TWICE,
        /** Every fourth change of a slice is not told, nor told again. */
        LOSES_CHANGES,
        /** Now and then a read or a listing does not show one of a pool's addresses. */
        MISREADS,
        /** Listings are believed to show what is wanted. */
        ADOPTS_NOTHING,
        /** Who finds a leader at its start never stands for election. */
        NEVER_STANDS_AGAIN,
        /** Pools are never compared. */
        NEVER_RESYNCS,
        /** Retries go on without budget, gate or end. */
        RETRIES_FOR_EVER,
        /** Neither annotations nor the operator pause anything. */
        IGNORES_PAUSES,
        /** A write that removes adds nothing. */
        HOLDS_ADDITIONS,
        /** Any number of addresses is removed at once. */
        NEVER_BRAKES,
        /** Every write is taken for a success. */
        BELIEVES_IN_WRITES,
        /** Renewals of the resource lock are taken for accepted, and are not sent. */
        RENEWS_IN_NAME_ONLY,
        /** The resource lock is never given back. */
        KEEPS_THE_LOCK,
        /** Writes go to a load balancer of another cluster. */
        STRAYS,
        /** A readiness gate is opened where it is to stay shut. */
        OPENS_GATES,
        /** Statuses of policies are written again at once. */
        REPEATS_STATUSES,
        /** A request that was refused is logged with all its headers. */
        LOGS_HEADERS,
        /** Updates start at ticks, not as soon as they can. */
        STARTS_AT_TICKS
    }

    public boolean has(Flaw flaw) {
        return planted.contains(flaw);
    }
}
