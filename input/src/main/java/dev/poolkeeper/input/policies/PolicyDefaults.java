package dev.poolkeeper.input.policies;

import dev.poolkeeper.ports.retry.RetryPolicy;
import java.time.Duration;

/**
 * Defaults for values that a manifest leaves to the implementation.
 *
 * @param namespace the namespace of a manifest that has none
 * @param backoff the shortest wait of an HTTPRoute's {@code retry}
 * @param profileRequest the longest time for a request on a ServiceProfile's route; 0 for no limit
 * @param profileAttempt the longest time for one attempt on that route
 */
public record PolicyDefaults(String namespace, Duration backoff, Duration profileRequest, Duration profileAttempt) {

    /** For calls to ARM, which take seconds. */
    public static final PolicyDefaults ARM = new PolicyDefaults(
            "default", RetryPolicy.DEFAULT_BACKOFF, Duration.ZERO, RetryPolicy.DEFAULT_BACKEND_REQUEST);

    /** For requests through a gateway: Envoy's wait, Linkerd's timeout. */
    public static final PolicyDefaults GATEWAY =
            new PolicyDefaults("default", Duration.ofMillis(25), Duration.ofSeconds(10), Duration.ofSeconds(10));

    /** The same defaults with another namespace. */
    public PolicyDefaults in(String otherNamespace) {
        return new PolicyDefaults(otherNamespace, backoff, profileRequest, profileAttempt);
    }
}
