package dev.poolkeeper.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.Stage;
import dev.poolkeeper.azure.AzureScope;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.proxy.Proxies;
import org.junit.jupiter.api.Test;

/** What is a fault of the configuration at the start, and what is a bug. */
class StartFaultsTest {

    private static final class Buggy extends AbstractModule {
        @Provides
        @Singleton
        String text() {
            throw new IllegalArgumentException("a bug");
        }
    }

    @Test
    @Rule(
            id = "C90",
            says = "Only what the configuration or the environment says is reported as their fault; a bug while"
                    + " starting keeps its stack.",
            source = "ours")
    void a_bug_while_wiring_is_no_fault_of_the_configuration() {
        CreationException bug = catchThrowableOfType(
                CreationException.class, () -> Guice.createInjector(Stage.PRODUCTION, new Buggy()));

        assertThatThrownBy(() -> Daemons.badInput(bug, bug.getErrorMessages()))
                .isSameAs(bug)
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_variable_of_opentelemetry_is_a_fault_of_the_environment() {
        TelemetryModule module = new TelemetryModule(AzureScope.of("sub", "group"), Proxies.NONE);
        System.setProperty("otel.traces.exporter", "zipkinn");
        try {
            Throwable failure = catchThrowable(module::telemetry);

            assertThat(failure)
                    .isInstanceOf(BadInputException.class)
                    .hasMessageStartingWith("environment: OTEL_")
                    .hasMessageContaining("zipkinn");
        } finally {
            System.clearProperty("otel.traces.exporter");
        }
    }
}
