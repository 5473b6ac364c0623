package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.ForeignText;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the size of the labels or the selector that are kept of one object; the API server limits only the size of the
 * whole object. Logs one line for each object that exceeds it, until it fits again. Thread-safe.
 */
final class SizeLimit {

    private static final Logger log = LoggerFactory.getLogger(SizeLimit.class);

    /** Characters of all names and values. */
    static final int LARGEST = 16 << 10;

    /** Objects whose line is remembered; those reported longest ago are forgotten and may be reported again. */
    private static final int MOST = 4096;

    private final Map<String, Boolean> reported = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST;
        }
    };

    /** @param consequence what is logged if the texts exceed the limit */
    boolean fits(String kind, ObjectMeta metadata, Map<String, String> texts, String consequence) {
        long size = texts.entrySet().stream()
                .mapToLong(one -> one.getKey().length() + one.getValue().length())
                .sum();
        boolean fits = size <= LARGEST;
        String object = ReducedStore.key(metadata);
        if (isNews(kind + " " + object + " " + metadata.getUid(), fits)) {
            log.atWarn()
                    .addKeyValue("kind", kind)
                    .addKeyValue("object", ForeignText.line(object))
                    .addKeyValue("characters", size)
                    .addKeyValue("limit", LARGEST)
                    .log(consequence);
        }
        return fits;
    }

    /** Whether a line is due. */
    synchronized boolean isNews(String object, boolean fits) {
        if (fits) {
            reported.remove(object);
            return false;
        }
        return reported.put(object, true) == null;
    }
}
