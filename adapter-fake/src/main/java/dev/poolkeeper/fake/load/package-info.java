/**
 * Generates reproducible clusters of any size and their events, for tests, benchmarks and replay, which reads the
 * recordings and inventories written here.
 *
 * <pre>{@code
 * LoadShape shape = LoadShape.DEFAULTS.withServices(200).withNodes(50);
 * LoadGenerator load = new LoadGenerator(shape, event -> event.report(listener));
 * load.start();
 * load.rollingUpdate(17, Duration.ofSeconds(1));
 * load.drainNode(3);
 * }</pre>
 */
@NullMarked
package dev.poolkeeper.fake.load;

import org.jspecify.annotations.NullMarked;
