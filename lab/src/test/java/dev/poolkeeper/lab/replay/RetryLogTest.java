package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.poolkeeper.contract.Rule;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RetryLogTest {

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.poolkeeper.core.facts.UpdateLog");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logged.start();
        logger.setLevel(Level.DEBUG);
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
        logger.setLevel(null);
    }

    @Test
    @Rule(
            id = "M5",
            says = "Log lines on the retry path carry service, load balancer, pool and attempt as fields.",
            source = "design document, Retry Model")
    void log_lines_of_failed_attempts_carry_their_fields() {
        new Scenario(folder)
                .maxRetries(1)
                .pool("lb-1/shop-web")
                .node("n1", "10.0.0.1")
                .localService("shop/web")
                .slice("shop/web", "web-a", "n1")
                .fault("{'status':409}")
                .play();

        assertThat(logged.list)
                .extracting(event -> event.getLevel() + " " + event.getMessage() + " " + fields(event))
                .containsExactly(
                        "INFO Requeued a failed update [service=\"shop/web\", loadBalancer=\"lb-1\", pool=\"shop-web\","
                                + " attempt=\"1\", failure=\"HTTP 409\"]",
                        "WARN Gave up on an update [service=\"shop/web\", loadBalancer=\"lb-1\", pool=\"shop-web\","
                                + " attempt=\"2\", failure=\"HTTP 409\"]");
    }

    private static List<String> fields(ILoggingEvent event) {
        return event.getKeyValuePairs().stream().map(Object::toString).toList();
    }
}
