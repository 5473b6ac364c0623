package dev.poolkeeper.emulators.arm;

/** The handling of a write to a load balancer, or to one of its pools, while another operation is in progress. */
public enum ConcurrentWrites {
    /** The later write wins; the operation of the earlier one ends as {@code Canceled} and its change is undone. */
    SUPERSEDE,
    /** Like {@link #SUPERSEDE}, but changes of the earlier write stay unless the later one overwrites them. */
    SUPERSEDE_AND_KEEP,
    /** The later one is refused with 409 {@code AnotherOperationInProgress}. */
    REFUSE_409,
    /** The later one is refused with 429 {@code RetryableError}, which concerns only this load balancer. */
    REFUSE_429
}
