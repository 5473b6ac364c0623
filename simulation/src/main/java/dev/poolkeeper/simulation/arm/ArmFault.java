package dev.poolkeeper.simulation.arm;

/** A fault of ARM that a request or its response encounters. */
public enum ArmFault {
    /** 429 for reads. */
    THROTTLED_READS,
    /** 429 for writes. */
    THROTTLED_WRITES,
    /** 429 for a write because its load balancer is busy with another one. */
    RETRYABLE_ERROR,
    /** 500 or 503 without effect. */
    SERVER_ERROR,
    /** 500, but the write took effect. */
    ERROR_AFTER_EFFECT,
    /** The connection breaks without a response, but the write took effect. */
    SILENCE_AFTER_EFFECT,
    /** No response and no effect. */
    CONNECTION_LOST,
    /** The body of the response is truncated. */
    BODY_TRUNCATED,
    /** An HTML page instead of the response's body. */
    BODY_REPLACED,
    /** The request reaches ARM twice. */
    REQUEST_DOUBLED,
    /** Accepted, then the operation fails. */
    OPERATION_FAILED,
    /** Accepted, then another operation supersedes it. */
    OPERATION_SUPERSEDED,
    /** Accepted, then polls report for minutes that it is in progress. */
    OPERATION_SLOW,
    /** Accepted, then the operation's URL is unknown, although it took effect. */
    OPERATION_LOST,
    /** Accepted without a URL to poll, although it takes effect. */
    LOCATION_LOST,
    /** Responses report that little or nothing is left of the quota. */
    QUOTA_LOW,
    /** 409: another operation is in progress. */
    BUSY,
    /** 403 for one load balancer. */
    FORBIDDEN,
    /** 403 for writes only. */
    WRITES_FORBIDDEN,
    /** 401: the token has expired. */
    UNAUTHORIZED,
    /** Fifty times the latency, and three in ten requests fail. */
    BROWNOUT,
    /** 404 for an existing pool. */
    NOT_FOUND,
    /** A page of the listing of load balancers fails. */
    LISTING_FAILS,
    /** The listing of load balancers is empty although they exist. */
    LISTING_EMPTY
}
