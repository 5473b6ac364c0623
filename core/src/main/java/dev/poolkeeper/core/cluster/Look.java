package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.IpFamily;
import java.util.ArrayList;
import java.util.List;

/**
 * One look at the slices of a Service. It marks the nodes that they name, so that each counts once however many
 * endpoints it has. Guarded by the index's lock.
 */
final class Look {

    /** Those whose slices it has gone through. */
    final List<IpFamily> families = new ArrayList<>(2);
}
