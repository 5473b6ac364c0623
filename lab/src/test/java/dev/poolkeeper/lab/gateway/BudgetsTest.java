package dev.poolkeeper.lab.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.retry.BudgetSettings;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BudgetsTest {

    private static final List<BudgetSettings> ALL = List.of(
            new BudgetSettings.Endless(),
            new BudgetSettings.None(),
            BudgetSettings.GatewayApi.STANZA_DEFAULT,
            new BudgetSettings.GatewayApi(
                    0, Duration.ofHours(1), new BudgetSettings.MinRetryRate(1, Duration.ofHours(1))),
            BudgetSettings.Linkerd.DEFAULT,
            new BudgetSettings.Linkerd(1, 0, Duration.ofMinutes(1)));

    static Stream<Arguments> changes() {
        return ALL.stream().flatMap(before -> ALL.stream().map(after -> Arguments.of(before, after)));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void a_changed_budget_is_the_new_one_and_one_changed_back_is_the_former(
            BudgetSettings before, BudgetSettings after) {
        Budgets budgets = new Budgets(new FakeTime());
        budgets.adjusted("before", before);
        budgets.adjusted("after", after);

        budgets.adjusted("changed", before);
        budgets.adjusted("changed", after);
        assertThat(budgets.status().get("changed")).isEqualTo(budgets.status().get("after"));

        budgets.adjusted("changed", before);
        assertThat(budgets.status().get("changed")).isEqualTo(budgets.status().get("before"));
    }
}
