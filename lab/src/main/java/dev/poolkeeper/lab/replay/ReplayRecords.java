package dev.poolkeeper.lab.replay;

import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.cloud.FakeCloud;

/**
 * Collects what happens during a replay, for its report.
 *
 * @param cloud the state of the pools
 * @param events the Events on Services
 * @param metrics the counted outcomes
 * @param plans the writes that a dry run omits
 */
public record ReplayRecords(FakeCloud cloud, FakeServiceEvents events, UpdateCounts metrics, DryRunPlans plans) {}
