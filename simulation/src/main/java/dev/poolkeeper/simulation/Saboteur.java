package dev.poolkeeper.simulation;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.simulation.Hosts.Host;
import dev.poolkeeper.simulation.arm.ArmFault;
import dev.poolkeeper.simulation.arm.FaultWindow;
import dev.poolkeeper.simulation.cluster.Kind;
import dev.poolkeeper.simulation.cluster.Network;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Step;
import dev.poolkeeper.simulation.schedule.StepKind;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import dev.poolkeeper.simulation.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Carries out faults. Each fault ends by itself, or at {@link #heal}. */
final class Saboteur {

    private static final String ARM = "ARM_";

    /** The share of retries that the configuration of the daemons allows. */
    private static final int USUAL_PERCENT = 20;

    private final World world;
    private final Hosts hosts;
    private final Director director;
    private final Mode mode;
    private final Set<SimulatedDaemon> condemned = new HashSet<>();
    private final Set<SimulatedDaemon> suspended = new HashSet<>();
    private boolean healed;

    Saboteur(World world, Hosts hosts, Director director, Mode mode) {
        this.world = world;
        this.hosts = hosts;
        this.director = director;
        this.mode = mode;
    }

    private void later(long millis, Runnable action) {
        world.timeline.after(millis * Timeline.MILLIS, () -> {
            if (!healed) {
                action.run();
            }
        });
    }

    void carryOut(Step step) {
        Chance chance = new Chance(step.salt());
        long length = chance.between(1_000, 25_000);
        switch (step.kind()) {
            case FOREIGN_WRITE -> director.foreignWrite(chance);
            case LEASE_TOUCHED ->
                (chance.happens(0.5) ? world.election : world.resourceLock).touch(world.timeline.now());
            case RESOURCE_LOCK_TAKEN -> takeResourceLock(chance);
            case POOL_FOUGHT_OVER -> {
                director.fightOver(chance, () -> !healed);
                if (chance.happens(0.5)) {
                    unseatLeader(chance, 4);
                }
            }
            case SLICES_LOST -> later(chance.between(3_000, 60_000), director.loseEndpoints(chance));
            case WATCH_DROPPED -> watch(chance, chance.happens(0.5) ? Wire.Exchange::drop : Wire.Exchange::end);
            case WATCH_SILENT -> watch(chance, Wire.Exchange::fallSilent);
            case WATCH_GONE ->
                watch(chance, watch -> {
                    watch.fallSilent(); // events in transit and those in the gap are lost
                    later(chance.between(0, 5_000), () -> {
                        if (chance.forked(1).happens(0.3)) {
                            director.replaceSlices(chance.forked(2));
                        }
                        world.apiServer.compact();
                        watch.drop();
                    });
                });
            default -> {
                if (step.kind().name().startsWith(ARM) && step.kind() != StepKind.ARM_CUT) {
                    ArmFault drawn = ArmFault.valueOf(step.kind().name().substring(ARM.length()));
                    boolean isThrottled = drawn == ArmFault.THROTTLED_READS || drawn == ArmFault.THROTTLED_WRITES;
                    if (isThrottled && chance.forked(1).happens(0.4)) { // the warning that precedes it
                        world.arm.reportQuota(
                                chance.forked(2).pick(0, 5, 30), world.timeline.now() + length * Timeline.MILLIS);
                        director.moveAll(chance.forked(3));
                        return;
                    }
                    boolean readsGoOn = drawn == ArmFault.FORBIDDEN && chance.happens(0.5);
                    arm(readsGoOn ? ArmFault.WRITES_FORBIDDEN : drawn, length, chance);
                } else {
                    Host host = hosts.pick(chance);
                    if (host != null && host.daemon != null) {
                        host(step, host, host.daemon, length, chance);
                    }
                }
            }
        }
    }

    private void host(Step step, Host host, SimulatedDaemon daemon, long length, Chance chance) {
        Network network = host.machine.network();
        switch (step.kind()) {
            case CRASH -> hosts.restart(host, chance.between(100, 20_000));
            case CRASH_IN_CALL -> condemned.add(daemon);
            case STOP ->
                daemon.stop(() -> world.timeline.after(0, () -> {
                    if (daemon.equals(host.daemon)) {
                        hosts.restart(host, chance.between(100, 10_000));
                    }
                }));
            case PAUSE -> {
                if (!daemon.process().isPaused()) {
                    daemon.process().pause();
                    later(chance.between(500, 40_000), daemon.process()::goOn);
                }
            }
            case SUSPEND -> suspend(host, daemon, chance.between(500, 40_000));
            case WRITE_HELD -> {
                daemon.arm().holdNextWrite(chance.between(500, 30_000) * Timeline.MILLIS);
                if (chance.happens(0.3)) {
                    daemon.arm().slowNextRead(chance.between(40_000, 58_000) * Timeline.MILLIS);
                }
            }
            case CLOCK_JUMP -> host.machine.clock().jump(Duration.ofSeconds(chance.between(-600, 600)));
            case CLOCK_RATE -> {
                host.machine.runClocks(chance.pick(0.5, 2.0), world.timeline.now());
                later(length, () -> host.machine.runClocks(1, world.timeline.now()));
            }
            case SAME_IDENTITY -> hosts.restartAsTheOther(host, chance.between(100, 20_000));
            case API_SERVER_CUT -> cutOff(daemon, length, chance);
            case API_SERVER_SLOW -> {
                network.latency(chance.between(500, 4_000));
                later(length, () -> network.latency(5));
            }
            case WATCH_LAG -> {
                Kind kind = chance.pick(Kind.values());
                network.lag(kind, chance.between(1_000, 15_000));
                later(length, () -> network.lag(kind, 0));
            }
            case WATCH_DUPLICATES -> {
                network.duplicate(0.5);
                later(length, () -> network.duplicate(0));
            }
            case LEASE_ANSWERS_LOST -> {
                network.loseAnswers(0.5);
                later(length, () -> network.loseAnswers(0));
            }
            case WRITES_PAUSED -> {
                host.machine.configuration().pause(true);
                later(length, () -> host.machine.configuration().pause(false));
            }
            case BUDGET_CHANGED -> {
                host.machine.configuration().allowRetries(USUAL_PERCENT / 2);
                later(length, () -> host.machine.configuration().allowRetries(USUAL_PERCENT));
            }
            case REMOVAL_AGREED -> daemon.agreeToHeldRemoval();
            case ARM_CUT -> {
                daemon.arm().cut(true);
                later(length, () -> daemon.arm().cut(false));
            }
            default -> throw new IllegalArgumentException("no fault: " + step);
        }
    }

    /** A leader that is cut off from the API server loses its lead; it, or the one after it, may win it again. */
    private void unseatLeader(Chance chance, int times) {
        if (times == 0) {
            return;
        }
        later(chance.between(25_000, 50_000), () -> {
            hosts.daemons().stream()
                    .filter(SimulatedDaemon::isLeader)
                    .forEach(leader -> cutOff(leader, chance.between(11_000, 20_000), chance));
            unseatLeader(chance, times - 1);
        });
    }

    private void cutOff(SimulatedDaemon daemon, long millis, Chance chance) {
        Network network = daemon.machine().network();
        network.cut(true);
        for (Wire.Exchange watch : daemon.watches()) {
            if (chance.happens(0.5)) {
                watch.fallSilent();
                later(millis, watch::drop);
            } else {
                watch.fallSilent();
            }
        }
        later(millis, () -> network.cut(false));
    }

    private void suspend(Host host, SimulatedDaemon daemon, long millis) {
        if (daemon.process().isPaused()) {
            return;
        }
        daemon.process().pause();
        suspended.add(daemon);
        host.machine.suspend();
        long since = host.machine.clock().passed();
        // also after healing: the machine has to be resumed
        world.timeline.after(millis * Timeline.MILLIS, () -> {
            if (daemon.equals(host.daemon)) {
                host.machine.clock().stoodStillSince(since);
            }
            host.machine.resume(world.timeline.now());
            suspended.remove(daemon);
            daemon.process().goOn();
        });
    }

    private void watch(Chance chance, Consumer<Wire.Exchange> action) {
        List<Wire.Exchange> open = hosts.daemons().stream()
                .flatMap(daemon -> daemon.watches().stream())
                .toList();
        if (!open.isEmpty()) {
            action.accept(chance.pick(open));
        }
    }

    private void takeResourceLock(Chance chance) {
        int seconds = chance.pick(50, 20, 0);
        world.resourceLock.take(seconds);
        later(chance.between(5_000, seconds == 0 ? 80_000 : 40_000), world.resourceLock::giveBack);
    }

    private void arm(ArmFault fault, long millis, Chance chance) {
        long length = switch (fault) {
            case BROWNOUT -> chance.between(15_000, 50_000);
            case LISTING_FAILS, LISTING_EMPTY, WRITES_FORBIDDEN -> chance.between(10_000, 60_000);
            default -> Math.max(4_000, millis);
        };
        @Nullable ArmName only = chance.happens(0.4) ? chance.pick(world.loadBalancers) : null;
        double share = fault == ArmFault.BROWNOUT ? 0.3 : chance.pick(0.3, 0.7, 1.0);
        world.arm.fault(new FaultWindow(
                fault,
                world.timeline.now() + length * Timeline.MILLIS,
                share,
                fault == ArmFault.LISTING_FAILS || fault == ArmFault.LISTING_EMPTY || fault == ArmFault.BROWNOUT
                        ? null
                        : only,
                retryAfter(chance)));
        if (fault == ArmFault.THROTTLED_WRITES) {
            director.moveAll(chance); // while all load balancers are busy, the first refusal blocks the others
        }
    }

    /**
     * A number of seconds, none, garbage or a past date; in safety mode, which does not wait for the end, also an hour,
     * or a date, which a machine with a wrong clock misreads.
     */
    private @Nullable String retryAfter(Chance chance) {
        return switch (chance.between(0, 6)) {
            case 0, 1 -> Integer.toString(chance.between(1, 30));
            case 2 -> mode == Mode.SAFETY ? httpDate(chance.between(1, 40)) : "40";
            case 3 -> null;
            case 4 -> chance.pick("soon", "1.5", "");
            case 5 -> httpDate(-3600);
            default -> mode == Mode.SAFETY ? "3600" : "45";
        };
    }

    private String httpDate(int seconds) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.parse("2026-03-01T12:00:00Z")
                .plusNanos(world.timeline.now())
                .plusSeconds(seconds)
                .atZone(ZoneOffset.UTC));
    }

    /** A request was sent: a process that is scheduled to crash in a call crashes now. */
    void requestSent(SimulatedDaemon daemon, Chance chance) {
        if (condemned.remove(daemon)) {
            world.timeline.after(chance.between(0, 90) * Timeline.MILLIS, () -> {
                for (Host host : hosts.all()) {
                    if (daemon.equals(host.daemon)) {
                        hosts.restart(host, chance.between(100, 15_000));
                    }
                }
            });
        }
    }

    /** Ends all faults. Processes that are down are restarted at once. */
    void heal() {
        healed = true;
        condemned.clear();
        world.arm.heal();
        world.resourceLock.giveBack();
        for (Host host : hosts.all()) {
            host.machine.network().heal();
            host.machine.configuration().pause(false);
            host.machine.configuration().allowRetries(USUAL_PERCENT);
            host.machine.runClocks(1, world.timeline.now());
            SimulatedDaemon daemon = host.daemon;
            if (daemon != null) {
                daemon.arm().cut(false);
                daemon.arm().holdNextWrite(0);
                daemon.arm().slowNextRead(0);
                if (daemon.process().isPaused() && !suspended.contains(daemon)) {
                    daemon.process().goOn();
                }
            }
            hosts.start(host);
        }
    }

    static String name(ArmFault fault) {
        return "met " + fault.name().toLowerCase(Locale.ROOT);
    }
}
