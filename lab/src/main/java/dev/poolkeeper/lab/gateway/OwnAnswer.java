package dev.poolkeeper.lab.gateway;

/**
 * An answer that no backend gave.
 *
 * @param status the status
 * @param text one line that names the reason
 */
record OwnAnswer(int status, String text) {

    static final OwnAnswer NO_RULE = new OwnAnswer(404, "no route matches the request");
    static final OwnAnswer OVER_BUDGET = new OwnAnswer(503, "the retry budget of the backend is spent");
    static final OwnAnswer NO_TIME = new OwnAnswer(504, "the request timeout is used up");
    static final OwnAnswer NO_ANSWER = new OwnAnswer(504, "the backend did not answer in time");
    static final OwnAnswer NO_CONNECTION = new OwnAnswer(502, "no connection to the backend");
    static final OwnAnswer BAD_ANSWER = new OwnAnswer(502, "the answer of the backend is not valid HTTP");
    static final OwnAnswer LOST_CONNECTION = new OwnAnswer(503, "the backend closed the connection before it answered");
    static final OwnAnswer BAD_BODY =
            new OwnAnswer(400, "the body breaks off, is not well-formed, or has trailers, which are not supported");
    static final OwnAnswer TOO_LARGE = new OwnAnswer(413, "the body is too large");
    static final OwnAnswer TOO_MANY = new OwnAnswer(503, "too many requests are in progress");

    static OwnAnswer bad(String why) {
        return new OwnAnswer(400, why);
    }

    static OwnAnswer cannotObey(String why) {
        return new OwnAnswer(500, "the rule cannot be obeyed: " + why);
    }
}
