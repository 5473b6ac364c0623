package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Faulty brakes, which the model must detect. */
enum FaultyBrake implements BrakeSubject.Maker {
    FORGETS_WHAT_WAS_WRITTEN {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(settings(BrakeModel.HOLD, Duration.ofNanos(1)), seen, clock);
        }
    },
    REMEMBERS_WRITES_FOR_TOO_LONG {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(settings(BrakeModel.HOLD, BrakeModel.WINDOW.plusSeconds(1)), seen, clock);
        }
    },
    HOLDS_FOR_TOO_LONG {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(settings(BrakeModel.HOLD.plusSeconds(2), BrakeModel.WINDOW), seen, clock);
        }
    },
    ALLOWS_MORE_THAN_ITS_SHARE {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(BrakeSubject.SETTINGS.withPercent(BrakeModel.PERCENT + 5), seen, clock);
        }
    },
    JUDGES_ALL_NAMESPACES_AS_ONE {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return counting(seen, clock, pool -> new BrakeSubject.Seen(Map.of("all", wanted(pool)), pool.held()));
        }
    },
    COUNTS_A_SHARED_POOL_FOR_ONE_NAMESPACE {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return counting(
                    seen,
                    clock,
                    pool -> new BrakeSubject.Seen(
                            Map.of(Collections.min(pool.wanted().keySet()), wanted(pool)), pool.held()));
        }
    },
    COUNTS_A_SHARED_POOL_IN_FULL_FOR_EACH_NAMESPACE {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return counting(
                    seen,
                    clock,
                    pool -> new BrakeSubject.Seen(
                            pool.wanted().keySet().stream().collect(Collectors.toMap(one -> one, one -> wanted(pool))),
                            pool.held()));
        }
    },
    COUNTS_A_SHARED_POOL_FOR_NO_NAMESPACE_OF_IT {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return counting(
                    seen,
                    clock,
                    pool -> new BrakeSubject.Seen(
                            Map.of(String.join("-", pool.wanted().keySet()), wanted(pool)), pool.held()));
        }
    },
    COUNTS_WHAT_IS_REPLACED {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    super.tickBegins(removalsOf(plans), removalsOf(release));
                }

                private Collection<Plan> removalsOf(Collection<Plan> plans) {
                    return plans.stream()
                            .map(plan -> plan.withPlanned(plan.held().minus(plan.removals())))
                            .toList();
                }
            };
        }
    },
    OVERLOOKS_THAT_ALL_IS_LOST {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return counting(
                    seen,
                    clock,
                    pool -> new BrakeSubject.Seen(
                            pool.wanted().keySet().stream()
                                    .collect(Collectors.toMap(one -> one, one -> AddressSet.of("10.0.9.9"))),
                            pool.held()));
        }
    },
    FORGETS_WHAT_IS_PARKED {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
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
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
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
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
                @Override
                void writeBegins(Plan plan) {}
            };
        }
    },
    STARTS_EACH_HOLD_AGAIN {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    standBy();
                    super.tickBegins(plans, release);
                }
            };
        }
    },
    TAKES_AN_AGREEMENT_FOR_ALL_THAT_IS_HELD {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
                private boolean isAgreed;

                @Override
                void agree(Set<String> ids) {
                    isAgreed = true;
                    super.agree(ids);
                }

                @Override
                Verdict judge(Plan plan) {
                    super.judge(plan);
                    if (isAgreed) {
                        super.agree(braked().stream().map(BrakedRemoval::id).collect(Collectors.toSet()));
                    }
                    return super.judge(plan);
                }
            };
        }
    },
    COUNTS_WHAT_ANOTHER_GUARD_HOLDS {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
                @Override
                void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
                    super.tickBegins(plans, plans);
                }
            };
        }
    },
    HOLDS_ADDITIONS {
        @Override
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
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
        public BrakeSubject make(Supplier<Map<PoolKey, BrakeSubject.Seen>> seen, InstantSource clock) {
            return new BrakeSubject(seen, clock) {
                @Override
                void wasRead(Plan plan) {}
            };
        }
    };

    private static BrakeSettings settings(Duration hold, Duration window) {
        return new BrakeSettings(BrakeModel.PERCENT, BrakeModel.MIN_ADDRESSES, hold, window);
    }

    private static BrakeSubject counting(
            Supplier<Map<PoolKey, BrakeSubject.Seen>> seen,
            InstantSource clock,
            UnaryOperator<BrakeSubject.Seen> wrong) {
        return new BrakeSubject(
                () -> seen.get().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> wrong.apply(entry.getValue()))),
                clock);
    }

    private static AddressSet wanted(BrakeSubject.Seen pool) {
        return pool.wanted().values().stream().reduce(AddressSet.empty(), AddressSet::union);
    }
}
