package dev.poolkeeper.simulation.schedule;

/** What can happen from outside. */
public enum StepKind {
    // changes of the cluster and of the load balancers, which are everyday life
    /** Pods move: a slice names other nodes. */
    PODS_MOVE(false),
    /** A slice's endpoints are spread over two. */
    SLICE_SPLIT(false),
    /** Two slices of a Service become one. */
    SLICE_MERGED(false),
    /** A slice has no endpoint any more. */
    SLICE_EMPTIED(false),
    /** A slice is gone. */
    SLICE_DELETED(false),
    /** A slice with more than a hundred endpoints. */
    SLICE_LARGE(false),
    /** A slice that names a node which is told of later. */
    SLICE_BEFORE_NODE(false),
    /** An endpoint without a node. */
    NODE_NAME_MISSING(false),
    NODE_ADDED(false),
    NODE_DELETED(false),
    /** A node gets another address. */
    NODE_READDRESSED(false),
    /** A node is excluded from load balancers, or is so no longer. */
    NODE_EXCLUDED(false),
    SERVICE_DELETED(false),
    SERVICE_CREATED(false),
    /** A Service stops being local, or begins to be. */
    SERVICE_POLICY(false),
    /** A Service's updates are paused, or go on. */
    SERVICE_PAUSED(false),
    /** A pool moves to another load balancer. */
    POOL_MOVED(false),
    /** A pool is deleted. */
    POOL_DELETED(false),
    /** A pool is there that was not. */
    POOL_CREATED(false),
    /** Two load balancers have a pool of the same name. */
    POOL_TWICE(false),
    /** A Pod with a readiness gate starts, and now and then one ends. */
    GATED_POD(false),
    /** A retry policy comes, changes or goes: valid or not, about ARM or something else. */
    POLICY_CHANGED(false),
    /** A controller that is none of ours takes the resource lock, writes a pool of its own, and gives it back. */
    OTHER_CONTROLLER_WRITES(false),

    // faults of processes and clocks
    /** A process is killed and comes back. */
    CRASH(true),
    /** A process is killed right after its next request, and comes back. */
    CRASH_IN_CALL(true),
    /** A process is stopped in good order, and comes back. */
    STOP(true),
    /** A process stands still. */
    PAUSE(true),
    /** A machine is suspended, its monotonic clock too. */
    SUSPEND(true),
    /** A process stands still between the last check of a write and its sending. */
    WRITE_HELD(true),
    /** A wall clock jumps. */
    CLOCK_JUMP(true),
    /** A machine's clocks run twice as fast, or half as fast. */
    CLOCK_RATE(true),
    /** A process is killed, and its successor goes by the identity of the other process, which runs. */
    SAME_IDENTITY(true),

    // faults of the way to the API server
    /** Nothing gets to the API server, or back. */
    API_SERVER_CUT(true),
    API_SERVER_SLOW(true),
    WATCH_DROPPED(true),
    /** A version is compacted and the watch ends with 410. */
    WATCH_GONE(true),
    /** A watch falls silent without an error. */
    WATCH_SILENT(true),
    /** One kind comes much later than the others. */
    WATCH_LAG(true),
    /** Events come twice or again. */
    WATCH_DUPLICATES(true),
    /** Writes to Leases take effect, and nobody hears of it. */
    LEASE_ANSWERS_LOST(true),
    /** Somebody else edits a Lease. */
    LEASE_TOUCHED(true),
    /** Another writer takes the resource lock for a while. */
    RESOURCE_LOCK_TAKEN(true),
    /** Most slices lose their endpoints at once, and get them back some time later. */
    SLICES_LOST(true),

    /** For minutes a writer that takes no lock puts the same addresses back whenever a pool holds others. */
    POOL_FOUGHT_OVER(true),

    // what operators do
    /** All writes of a process are paused for a while. */
    WRITES_PAUSED(true),
    /** The removal that a process's brake held last is agreed to. */
    REMOVAL_AGREED(true),

    // faults of ARM; which one is drawn
    /** ARM cannot be reached. */
    ARM_CUT(true),
    /** Somebody who asks nobody writes to a pool. */
    FOREIGN_WRITE(true),
    ARM_THROTTLED_READS(true),
    ARM_THROTTLED_WRITES(true),
    ARM_RETRYABLE_ERROR(true),
    ARM_SERVER_ERROR(true),
    ARM_ERROR_AFTER_EFFECT(true),
    ARM_SILENCE_AFTER_EFFECT(true),
    ARM_CONNECTION_LOST(true),
    ARM_BODY_TRUNCATED(true),
    ARM_BODY_REPLACED(true),
    ARM_REQUEST_DOUBLED(true),
    ARM_OPERATION_FAILED(true),
    ARM_OPERATION_SUPERSEDED(true),
    ARM_OPERATION_SLOW(true),
    ARM_OPERATION_LOST(true),
    ARM_LOCATION_LOST(true),
    ARM_BUSY(true),
    ARM_FORBIDDEN(true),
    ARM_UNAUTHORIZED(true),
    ARM_BROWNOUT(true),
    ARM_NOT_FOUND(true),
    ARM_LISTING_FAILS(true),
    ARM_LISTING_EMPTY(true);

    private final boolean fault;

    StepKind(boolean fault) {
        this.fault = fault;
    }

    /** Whether it is a fault, and not everyday life. */
    public boolean isFault() {
        return fault;
    }
}
