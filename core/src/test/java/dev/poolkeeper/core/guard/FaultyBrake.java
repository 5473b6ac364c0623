package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.guard.SafetyBrake.Totals;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Faulty brakes, which the model must detect. */
enum FaultyBrake implements BrakeSubject.Maker {
    FORGETS_WHAT_WAS_WRITTEN {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(settings(BrakeModel.HOLD, Duration.ofNanos(1)), totals, clock);
        }
    },
    REMEMBERS_WRITES_FOR_TOO_LONG {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(settings(BrakeModel.HOLD, BrakeModel.WINDOW.plusSeconds(1)), totals, clock);
        }
    },
    HOLDS_FOR_TOO_LONG {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(settings(BrakeModel.HOLD.plusSeconds(2), BrakeModel.WINDOW), totals, clock);
        }
    },
    ALLOWS_ONE_MORE_THAN_ITS_SHARE {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return counting(
                    totals, clock, right -> new Totals(right.addresses() + 2, right.isAnyWanted(), right.pools()));
        }
    },
    OVERLOOKS_THAT_ALL_IS_LOST {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return counting(totals, clock, right -> new Totals(right.addresses(), true, right.pools()));
        }
    },
    FORGETS_WHAT_IS_PARKED {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                private boolean isParked;

                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    isParked = !isParked;
                    super.tickBegins(seen(plans), seen(release));
                }

                private Collection<Plan> seen(Collection<Plan> plans) {
                    return plans.stream()
                            .filter(plan -> !isParked || !plan.pool().equals(BrakeWorld.key(0)))
                            .toList();
                }
            };
        }
    },
    FORGETS_WHAT_IS_IN_A_LANE {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                private final Set<PoolKey> inProgress = new HashSet<>();

                @Override
                Verdict judge(Plan plan) {
                    inProgress.add(plan.pool());
                    return super.judge(plan);
                }

                @Override
                void wasWritten(Plan plan) {
                    inProgress.remove(plan.pool());
                    super.wasWritten(plan);
                }

                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    super.tickBegins(queued(plans), queued(release));
                }

                private Collection<Plan> queued(Collection<Plan> plans) {
                    return plans.stream()
                            .filter(plan -> !inProgress.contains(plan.pool()))
                            .toList();
                }
            };
        }
    },
    FORGETS_WRITES_IN_PROGRESS {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                @Override
                void writeBegins(Plan plan) {}
            };
        }
    },
    STARTS_EACH_HOLD_AGAIN {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    super.tickBegins(List.of(), List.of());
                    super.tickBegins(plans, release);
                }
            };
        }
    },
    TAKES_AN_AGREEMENT_FOR_ALL_THAT_IS_HELD {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                private boolean isAgreed;

                @Override
                void agree(String id) {
                    isAgreed = true;
                    super.agree(id);
                }

                @Override
                Verdict judge(Plan plan) {
                    super.judge(plan);
                    if (isAgreed) {
                        braked().stream().map(BrakedRemoval::id).forEach(super::agree);
                    }
                    return super.judge(plan);
                }
            };
        }
    },
    COUNTS_WHAT_ANOTHER_GUARD_HOLDS {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    super.tickBegins(plans, plans);
                }
            };
        }
    },
    HOLDS_ADDITIONS {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                @Override
                Verdict judge(Plan plan) {
                    return super.judge(plan) instanceof Verdict.GoWithLess less
                            ? new Verdict.GoWithLess(less.planned().intersect(plan.held()), less.because())
                            : Verdict.GO;
                }
            };
        }
    },
    OVERLOOKS_WRITES_WITH_AN_UNKNOWN_OUTCOME {
        @Override
        public BrakeSubject make(Supplier<Totals> totals, InstantSource clock) {
            return new BrakeSubject(totals, clock) {
                @Override
                void wasRead(Plan plan) {}
            };
        }
    };

    private static BrakeSettings settings(Duration hold, Duration window) {
        return new BrakeSettings(BrakeModel.PERCENT, BrakeModel.MIN_ADDRESSES, hold, window);
    }

    private static BrakeSubject counting(Supplier<Totals> totals, InstantSource clock, UnaryOperator<Totals> wrong) {
        return new BrakeSubject(() -> wrong.apply(totals.get()), clock);
    }
}
