/** Recorded watch streams of a Kubernetes API server as a cluster. */
@NullMarked
package dev.poolkeeper.fake.recording;

import org.jspecify.annotations.NullMarked;
