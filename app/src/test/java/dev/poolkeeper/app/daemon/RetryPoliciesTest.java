package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.poolkeeper.app.config.RetrySources;
import dev.poolkeeper.app.logging.Logged;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RetryPoliciesTest {

    @RegisterExtension
    final Logged logged = new Logged(RetryPolicies.class, Level.INFO);

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
