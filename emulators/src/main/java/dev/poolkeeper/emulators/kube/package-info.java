/**
 * A small Kubernetes API server on the loopback interface, in memory, for tests and sandboxes: list with paging, watch
 * with bookmarks, optimistic concurrency, and the faults that a watcher must survive.
 */
@NullMarked
package dev.poolkeeper.emulators.kube;

import org.jspecify.annotations.NullMarked;
