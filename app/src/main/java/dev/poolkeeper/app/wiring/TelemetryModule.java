package dev.poolkeeper.app.wiring;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.ProgramVersion;
import dev.poolkeeper.app.telemetry.ArmTelemetry;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.app.telemetry.OperationMetrics;
import dev.poolkeeper.app.telemetry.Telemetry;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.ports.Time;
import java.net.ProxySelector;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Binds metrics and traces. */
final class TelemetryModule extends AbstractModule {

    private final AzureScope scope;
    private final ProxySelector proxies;

    /** @param proxies for exported metrics and traces */
    TelemetryModule(AzureScope scope, ProxySelector proxies) {
        this.scope = scope;
        this.proxies = proxies;
    }

    @Provides
    @Singleton
    Telemetry telemetry() throws BadInputException {
        try {
            return Telemetry.start(ProgramVersion.text(), proxies);
        } catch (IllegalArgumentException e) {
            throw fault(e);
        }
    }

    /**
     * Exports nothing.
     *
     * @throws BadInputException if a variable {@code OTEL_…} is invalid
     */
    static void check() throws BadInputException {
        try {
            Telemetry.check();
        } catch (IllegalArgumentException e) {
            throw fault(e);
        }
    }

    private static BadInputException fault(IllegalArgumentException e) {
        return new BadInputException(new InputFault("environment", "OTEL_…", String.valueOf(e.getMessage())), e);
    }

    @Provides
    @Singleton
    ArmTelemetry arm(Telemetry telemetry) {
        return new ArmTelemetry(telemetry.meter(), telemetry.tracer(), telemetry.propagator());
    }

    @Provides
    @Singleton
    OperationMetrics metrics(Telemetry telemetry, Time time) {
        return new OperationMetrics(
                telemetry.meter(), telemetry.tracer(), time::nanoTime, scope.subscriptionId(), scope.resourceGroup());
    }

    @Provides
    Consumer<Fact> facts(OperationMetrics metrics) {
        return metrics;
    }

    @Provides
    @Singleton
    ObservedTicks ticks(Telemetry telemetry, InstantSource clock, Time time) {
        return new ObservedTicks(telemetry.meter(), telemetry.tracer(), clock, time::nanoTime);
    }
}
