package dev.poolkeeper.k8s.lease;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code leaseDurationSeconds} that a Lease had before one of our holds replaced it. Other writers of a shared
 * Lease rely on the value that is there (the Go provider never writes it), so it is restored with the release. It is
 * kept in an annotation, so that the successor of a killed process can restore it, too.
 *
 * @param found the value before; null if there was none
 * @param written our value. If the Lease has another one by now, another writer has set that, and this record is void
 * @param by the holder that replaced it
 */
record ReplacedDuration(@Nullable Integer found, int written, String by) {

    /** What the Go provider writes into a Lease that it creates. */
    static final int GO_SECONDS = 900;

    static final String ANNOTATION = "poolkeeper.dev/replaced-lease-duration";

    /** Such as {@code found=900 written=60 by=poolkeeper_host_…}; {@code found=none} if there was no duration. */
    private static final Pattern TEXT =
            Pattern.compile("found=(none|[0-9]{1,10}) written=([0-9]{1,10}) by=(.{1,1024})");

    /** Empty if the duration of this Lease was not replaced, or has been set by another writer since. */
    static Optional<ReplacedDuration> of(Lease lease) {
        return Optional.ofNullable(lease.getMetadata())
                .map(ObjectMeta::getAnnotations)
                .map(annotations -> annotations.get(ANNOTATION))
                .map(TEXT::matcher)
                .filter(Matcher::matches)
                .flatMap(ReplacedDuration::parse)
                .filter(replaced -> Objects.equals(replaced.written, duration(lease)));
    }

    private static Optional<ReplacedDuration> parse(Matcher text) {
        try {
            Integer found = text.group(1).equals("none") ? null : Integer.valueOf(text.group(1));
            return Optional.of(new ReplacedDuration(found, Integer.parseInt(text.group(2)), text.group(3)));
        } catch (NumberFormatException e) { // more than an API server accepts
            return Optional.empty();
        }
    }

    /**
     * The duration that the holder of this Lease reckons with: what was there before if it did not write the duration
     * itself. Null if there is none.
     */
    static @Nullable Integer ofHolder(Lease lease) {
        ReplacedDuration replaced = of(lease).orElse(null);
        return replaced == null || replaced.by.equals(lease.getSpec().getHolderIdentity())
                ? duration(lease)
                : replaced.found;
    }

    /**
     * A Lease with a duration of ours, and the record of what it replaced.
     *
     * @param before the Lease as found; null if there was none, for which the Go provider would have created one
     * @param written the same with our changes
     */
    static Lease replacing(@Nullable Lease before, Lease written, Duration duration, String by) {
        int seconds = Math.toIntExact(duration.toSeconds());
        Integer found = before == null ? Integer.valueOf(GO_SECONDS) : foundIn(before);
        return written.edit()
                .editMetadata()
                .addToAnnotations(ANNOTATION, new ReplacedDuration(found, seconds, by).text())
                .endMetadata()
                .editSpec()
                .withLeaseDurationSeconds(seconds)
                .endSpec()
                .build();
    }

    private static @Nullable Integer foundIn(Lease before) {
        ReplacedDuration replaced = of(before).orElse(null);
        return replaced == null ? duration(before) : replaced.found;
    }

    /** The Lease with the duration that it had before, or that another writer has set since. */
    static Lease restored(Lease lease) {
        return lease.edit()
                .editMetadata()
                .removeFromAnnotations(ANNOTATION)
                .endMetadata()
                .editSpec()
                .withLeaseDurationSeconds(foundIn(lease))
                .endSpec()
                .build();
    }

    private static @Nullable Integer duration(Lease lease) {
        LeaseSpec spec = lease.getSpec();
        return spec == null ? null : spec.getLeaseDurationSeconds();
    }

    private String text() {
        return "found=%s written=%s by=%s".formatted(found == null ? "none" : found, written, by);
    }
}
