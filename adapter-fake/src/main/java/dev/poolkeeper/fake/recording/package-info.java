/** Replays recorded watch streams of a Kubernetes API server. */
@NullMarked
package dev.poolkeeper.fake.recording;

import org.jspecify.annotations.NullMarked;
