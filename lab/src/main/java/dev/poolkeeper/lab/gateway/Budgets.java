package dev.poolkeeper.lab.gateway;

import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.BudgetSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** The retry budget of each backend and ServiceProfile. Balances survive a reload of the routes. Thread-safe. */
final class Budgets {

    private final Time time;
    private final Map<String, RetryModel> models = new ConcurrentSkipListMap<>();

    Budgets(Time time) {
        this.time = time;
    }

    /** The model of that name with these settings from now on; withdrawals so far still count. */
    RetryModel adjusted(String name, BudgetSettings settings) {
        RetrySettings all = RetrySettings.of(RetryPolicy.OFF, settings);
        RetryModel model = models.computeIfAbsent(name, ignored -> new RetryModel(all, time));
        model.adjust(all);
        return model;
    }

    /** The status of each, by name. */
    Map<String, RetryModel.BudgetStatus> status() {
        Map<String, RetryModel.BudgetStatus> status = new TreeMap<>();
        models.forEach((name, model) -> status.put(name, model.status()));
        return status;
    }
}
