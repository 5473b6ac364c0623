package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.RequestCondition;
import java.util.Comparator;

/**
 * One of the matches of an HTTPRoute's rule. In the order of the Gateway API's precedence: an exact path first, then a
 * regular expression, then the longest prefix; then what names a method; then the most headers, then the most query
 * parameters.
 *
 * @param condition which requests
 * @param rank of its kind of path: 0 for an exact one, 1 for a regular expression, 2 for a prefix
 * @param pathLength in characters
 * @param hasMethod whether it names a method
 * @param headers how many it names
 * @param parameters how many it names
 */
public record RouteMatch(
        RequestCondition condition, int rank, int pathLength, boolean hasMethod, int headers, int parameters) {

    /** The most specific first. */
    public static final Comparator<RouteMatch> PRECEDENCE = Comparator.comparingInt(RouteMatch::rank)
            .thenComparing(Comparator.comparingInt(RouteMatch::pathLength).reversed())
            .thenComparing(Comparator.comparing(RouteMatch::hasMethod).reversed())
            .thenComparing(Comparator.comparingInt(RouteMatch::headers).reversed())
            .thenComparing(Comparator.comparingInt(RouteMatch::parameters).reversed());

    static final int EXACT = 0;
    static final int PATTERN = 1;
    static final int PREFIX = 2;

    /** That of a rule without matches. */
    static final RouteMatch EVERYTHING = new RouteMatch(RequestCondition.ALWAYS, PREFIX, 1, false, 0, 0);
}
