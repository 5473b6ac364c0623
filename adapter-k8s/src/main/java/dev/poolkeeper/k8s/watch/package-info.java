/** Lists and watches Services, EndpointSlices and Nodes. Start with {@link dev.poolkeeper.k8s.watch.ClusterWatcher}. */
@NullMarked
package dev.poolkeeper.k8s.watch;

import org.jspecify.annotations.NullMarked;
