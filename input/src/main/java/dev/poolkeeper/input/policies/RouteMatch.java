package dev.poolkeeper.input.policies;

import java.util.Comparator;

/**
 * One of the matches of an HTTPRoute's rule. The Gateway API's precedence is: an exact path first, then a regular
 * expression, then the longest prefix; then a match with a method; then the most headers, then the most query
 * parameters.
 *
 * @param condition selects the requests
 * @param rank the rank of its path type: 0 for exact, 1 for a regular expression, 2 for a prefix
 * @param pathLength in characters
 * @param hasMethod whether it has a method
 * @param headers the number of its headers
 * @param parameters the number of its query parameters
 */
public record RouteMatch(
        RequestCondition condition, int rank, int pathLength, boolean hasMethod, int headers, int parameters) {

    /** Most specific first. */
    public static final Comparator<RouteMatch> PRECEDENCE = Comparator.comparingInt(RouteMatch::rank)
            .thenComparing(Comparator.comparingInt(RouteMatch::pathLength).reversed())
            .thenComparing(Comparator.comparing(RouteMatch::hasMethod).reversed())
            .thenComparing(Comparator.comparingInt(RouteMatch::headers).reversed())
            .thenComparing(Comparator.comparingInt(RouteMatch::parameters).reversed());

    static final int EXACT = 0;
    static final int PATTERN = 1;
    static final int PREFIX = 2;

    /** The match of a rule without matches. */
    static final RouteMatch EVERYTHING = new RouteMatch(RequestCondition.ALWAYS, PREFIX, 1, false, 0, 0);
}
