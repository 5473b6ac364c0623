package dev.poolkeeper.simulation.arm;

/** What can happen to a request instead of what was asked, or to its answer. */
public enum ArmFault {
    /** 429 for reads. */
    THROTTLED_READS,
    /** 429 for writes. */
    THROTTLED_WRITES,
    /** 429 for a write because its load balancer is at work on another one. */
    RETRYABLE_ERROR,
    /** 500 or 503, nothing done. */
    SERVER_ERROR,
    /** 500, but the write took effect. */
    ERROR_AFTER_EFFECT,
    /** The connection breaks without an answer, but the write took effect. */
    SILENCE_AFTER_EFFECT,
    /** No answer and nothing done. */
    CONNECTION_LOST,
    /** The answer's body ends in its middle. */
    BODY_TRUNCATED,
    /** A page for people in place of the answer's body. */
    BODY_REPLACED,
    /** The request reaches ARM twice. */
    REQUEST_DOUBLED,
    /** Accepted, then the operation fails. */
    OPERATION_FAILED,
    /** Accepted, then another operation supersedes it. */
    OPERATION_SUPERSEDED,
    /** Accepted, then polls say for minutes that it is in progress. */
    OPERATION_SLOW,
    /** Accepted, then the operation's address is unknown, though it took effect. */
    OPERATION_LOST,
    /** Accepted without an address to ask at, though it takes effect. */
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
