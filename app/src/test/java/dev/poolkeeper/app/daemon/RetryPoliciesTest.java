package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.k8s.policies.PolicySnapshot;
import dev.poolkeeper.k8s.policies.Standing;
import dev.poolkeeper.ports.retry.BudgetSettings.GatewayApi;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RetryPoliciesTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(RetryPolicies.class);
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logged.start();
        logger.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(logged);
        logger.setLevel(null);
    }

    @Test
    void only_a_judgement_that_changes_the_settings_is_logged() {
        RetrySources before = RetrySources.of(RetrySettings.DEFAULT);
        RetrySources after = RetrySources.of(
                new RetrySettings(List.of(), RetryPolicy.DEFAULT, Optional.of(GatewayApi.STANZA_DEFAULT)));
        List<List<Standing>> verdicts = new ArrayList<>();
        RetryPolicies policies =
                new RetryPolicies(new RetryModel(RetrySettings.DEFAULT, new FakeTime()), before, verdicts::add);

        policies.configured(before);
        policies.cluster(PolicySnapshot.NONE);
        assertThat(logged.list).isEmpty();
        policies.configured(after);
        policies.configured(after);
        policies.cluster(PolicySnapshot.NONE);

        assertThat(logged.list).extracting(ILoggingEvent::getMessage).containsExactly("Retry policies changed");
        assertThat(verdicts).as("reported after each judgement").hasSize(5);
    }
}
