package dev.poolkeeper.simulation.arm;

/** What ARM can do instead of what was asked. */
public enum ArmFault {
    /** 429 for reads. */
    THROTTLED_READS,
    /** 429 for writes. */
    THROTTLED_WRITES,
    /** 500 or 503, nothing done. */
    SERVER_ERROR,
    /** 500, but the write took effect. */
    ERROR_AFTER_EFFECT,
    /** No answer, but the write took effect. */
    SILENCE_AFTER_EFFECT,
    /** No answer and nothing done. */
    CONNECTION_LOST,
    /** 202, then the operation fails. */
    OPERATION_FAILED,
    /** 202, then another operation supersedes it. */
    OPERATION_SUPERSEDED,
    /** 202, then polls say for minutes that it is under way. */
    OPERATION_SLOW,
    /** 202, then the operation's address is unknown, though it took effect. */
    OPERATION_LOST,
    /** 202 without an address to ask at, though it takes effect. */
    LOCATION_LOST,
    /** 409: another operation is in progress. */
    BUSY,
    /** 403 for one load balancer. */
    FORBIDDEN,
    /** 401: the token ran out. */
    UNAUTHORIZED,
    /** Fifty times the latency and three errors in ten requests. */
    BROWNOUT,
    /** 404 for a pool that is there. */
    NOT_FOUND,
    /** A page of the listing of load balancers cannot be had. */
    LISTING_FAILS,
    /** The listing of load balancers is empty though they are there. */
    LISTING_EMPTY
}
