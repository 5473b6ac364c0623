package dev.poolkeeper.lab.replay;

import dev.poolkeeper.fake.FakeMetrics;
import dev.poolkeeper.fake.FakeServiceEvents;
import dev.poolkeeper.fake.cloud.FakeCloud;

/**
 * What keeps what happens during a replay, for its report.
 *
 * @param cloud the pools
 * @param events Events of Services
 * @param metrics counted outcomes
 * @param plans what a dry run would write
 */
public record ReplayRecords(FakeCloud cloud, FakeServiceEvents events, FakeMetrics metrics, DryRunPlans plans) {}
