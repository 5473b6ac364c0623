package dev.poolkeeper.emulators.arm;

/** What becomes of a write to a load balancer, or to one of its pools, while another one is still at work. */
public enum ConcurrentWrites {
    /** The later one wins; the operation of the earlier one ends {@code Canceled} and its change is undone. */
    SUPERSEDE,
    /** As {@link #SUPERSEDE}, but what the earlier one changed stays, wherever the later one does not change it. */
    SUPERSEDE_AND_KEEP,
    /** The later one is refused with 409 {@code AnotherOperationInProgress}. */
    REFUSE_409,
    /** The later one is refused with 429 {@code RetryableError}, which is about this load balancer alone. */
    REFUSE_429
}
