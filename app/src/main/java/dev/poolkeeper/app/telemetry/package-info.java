/**
 * The daemon's telemetry: metrics, traces, and the SDK behind both.
 *
 * <p>The code uses OpenTelemetry's API; the SDK is configured by {@code OTEL_*} in one place,
 * {@link dev.poolkeeper.app.telemetry.Telemetry}.
 */
@NullMarked
package dev.poolkeeper.app.telemetry;

import org.jspecify.annotations.NullMarked;
