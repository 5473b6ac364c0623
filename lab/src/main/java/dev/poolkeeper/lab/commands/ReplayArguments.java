package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.config.Keys;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.core.retry.MaxRetries;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.fake.recording.Recording;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.lab.replay.ArmTimes;
import dev.poolkeeper.lab.replay.BundledReplay;
import dev.poolkeeper.lab.replay.ReplayInput;
import dev.poolkeeper.lab.replay.ReplayOptions;
import dev.poolkeeper.lab.replay.Speed;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of {@code replay} as typed. */
final class ReplayArguments {

    private static final BigDecimal MILLIS = BigDecimal.valueOf(1000);
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(30);

    @Parameters(
            paramLabel = "RECORDING",
            description = "Recordings, played together in order of their offsets; - is standard input, as it is for the"
                    + " inventory and the faults.")
    private List<String> recordings = new ArrayList<>();

    @Option(names = "--inventory", paramLabel = "FILE", description = "The initial ARM inventory of the cloud.")
    private @Nullable String inventory;

    @Option(names = "--faults", paramLabel = "FILE", description = "The faults of the cloud.")
    private @Nullable String faults;

    @Option(
            names = "--via",
            paramLabel = "memory|https",
            description =
                    "How the cloud is reached; memory: in this process, exact and repeatable; https: the real Azure"
                            + " SDK over TLS against the ARM emulator in this process. Default: https for the bundled"
                            + " recording, else memory")
    private @Nullable String via;

    @Option(
            names = "--speed",
            paramLabel = "max|N",
            description = "max: as fast as possible; N: N times recorded speed. Default: ${DEFAULT-VALUE}")
    private String speed = "max";

    @Option(
            names = "--model",
            paramLabel = "diff|desired-state",
            description = "The update model. Default: desired-state")
    private @Nullable String model;

    @Option(
            names = "--interval",
            paramLabel = "SECONDS",
            description = "Between ticks, greater than 0, fractions allowed. Default: 30")
    private @Nullable String interval;

    @Option(
            names = "--max-retries",
            paramLabel = "N",
            description = "Extra attempts after the first failed one. Default: 3")
    private @Nullable String maxRetries;

    @Option(
            names = "--pace",
            paramLabel = "tick|eager",
            description =
                    "When an update starts: at ticks, or as soon as its load balancer is free. Default: tick; with"
                            + " --config that of the file")
    private @Nullable String pace;

    @Option(
            names = "--arm-times",
            paramLabel = "read=DURATION,write=DURATION[,jitter=PERCENT,seed=N]",
            description = "Durations of calls on virtual time, with load balancers in parallel. Default: no time")
    private @Nullable String armTimes;

    @Option(
            names = "--one-lane",
            description = "Processes all load balancers one after another, as the Go updater does.")
    private boolean oneLane;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The daemon's settings (guards, comparisons, model, interval) instead of the reference"
                    + " behaviour. Options given here take precedence over the file.")
    private @Nullable String config;

    @Option(
            names = "--dry-run",
            description = "Writes nothing: reads and compares at every tick, and shows what would be written.")
    private boolean dryRun;

    @Option(names = "--report", paramLabel = "FILE", description = "Writes the report as JSON, - for standard output.")
    @Nullable
    String report;

    @Option(
            names = "--output",
            paramLabel = "text|json",
            description = "The output format; json: the report. Default: ${DEFAULT-VALUE}")
    String output = "text";

    /**
     * Converts the arguments to options; all files except the recordings are read.
     *
     * @param time the real time, used by a replay at recorded speed
     * @throws BadInputException with every fault of every argument
     */
    ReplayOptions check(Time time) throws BadInputException, IOException {
        InputFile.requireOneStandardInput(inputs().toArray(String[]::new));
        List<InputFault> found = new ArrayList<>();
        String chosenVia = chosenVia();
        oneOf("--via", chosenVia, List.of("memory", "https"), found);
        oneOf("--output", output, List.of("text", "json"), found);
        Optional<Configuration> daemon = orElse(this::daemon, Optional.empty(), found);
        EngineSettings fromFile = daemon.map(Configuration::engine).orElse(EngineSettings.REFERENCE);
        UpdateModel chosenModel = orElse(() -> chosenModel(fromFile), fromFile.model(), found);
        Duration chosenInterval = orElse(() -> tickInterval(daemon), DEFAULT_INTERVAL, found);
        Pace chosenPace = orElse(() -> chosenPace(fromFile, chosenModel, chosenInterval), fromFile.pace(), found);
        Optional<ArmTimes> chosenTimes = orElse(this::chosenTimes, Optional.empty(), found);
        Speed chosenSpeed = orElse(() -> chosenSpeed(time), Speed.MAX, found);
        int retries = orElse(() -> retries(fromFile), 0, found);
        long events = 0;
        List<Recording> chosenRecordings = chosenRecordings(found);
        for (Recording recording : chosenRecordings) {
            events += orElse(() -> recording.check().events(), 0L, found);
        }
        Inventory chosenInventory = orElse(this::chosenInventory, Inventory.EMPTY, found);
        Faults chosenFaults = orElse(this::chosenFaults, Faults.NONE, found);
        if (!found.isEmpty()) {
            throw new BadInputException(found);
        }
        return new ReplayOptions(
                new ReplayInput(chosenRecordings, events, chosenInventory, chosenFaults),
                chosenVia.equals("https") ? ReplayOptions.Via.HTTPS : ReplayOptions.Via.MEMORY,
                chosenSpeed,
                fromFile.withPace(Pace.TICK)
                        .withModel(chosenModel)
                        .withPace(chosenPace)
                        .withMaxRetries(retries),
                dryRun || daemon.map(settings -> settings.daemon().dryRun()).orElse(false),
                chosenTimes,
                oneLane,
                daemon);
    }

    /** The input files, which must not be overwritten; null for one that is not given. */
    List<@Nullable String> inputs() {
        List<@Nullable String> inputs = new ArrayList<>(recordings);
        inputs.add(inventory);
        inputs.add(faults);
        inputs.add(config);
        return inputs;
    }

    private String chosenVia() {
        return via != null ? via : recordings.isEmpty() && armTimes == null ? "https" : "memory";
    }

    private interface Check<T> {
        T run() throws BadInputException, IOException;
    }

    private static <T> T orElse(Check<T> check, T fallback, List<InputFault> found) throws IOException {
        try {
            return check.run();
        } catch (BadInputException e) {
            found.addAll(e.faults());
            return fallback;
        }
    }

    private static void oneOf(String option, String value, List<String> allowed, List<InputFault> found) {
        if (!allowed.contains(value)) {
            found.add(new InputFault(
                    option, "", "found \"" + value + "\", must be one of " + String.join(", ", allowed)));
        }
    }

    private Optional<Configuration> daemon() throws BadInputException {
        return config == null
                ? Optional.empty()
                : Optional.of(ConfigurationReader.readForReplay(FileArgument.path("--config", config)));
    }

    private UpdateModel chosenModel(EngineSettings fromFile) throws BadInputException {
        String typed = model;
        if (typed == null) {
            return fromFile.model();
        }
        return Optional.ofNullable(Keys.MODELS.words().get(typed))
                .orElseThrow(() -> fault("--model", typed, Keys.MODELS.allowed()));
    }

    private Duration tickInterval(Optional<Configuration> daemon) throws BadInputException {
        if (interval == null) {
            return daemon.map(Configuration::updateInterval).orElse(DEFAULT_INTERVAL);
        }
        Optional<BigDecimal> seconds = number(interval);
        try {
            if (seconds.isPresent() && seconds.get().signum() > 0) {
                return Duration.ofMillis(seconds.get().multiply(MILLIS).longValueExact());
            }
        } catch (ArithmeticException e) {
            // finer than a millisecond, or out of range: reported below
        }
        throw fault("--interval", interval, "seconds, greater than 0, in whole milliseconds");
    }

    /** The option's pace, else the file's if the model supports it, with the effective interval. */
    private Pace chosenPace(EngineSettings fromFile, UpdateModel chosenModel, Duration chosenInterval)
            throws BadInputException {
        boolean knowsEager = chosenModel != UpdateModel.DIFF;
        boolean isEager = fromFile.pace() instanceof Pace.Eager && knowsEager;
        if (pace != null) {
            isEager = pace.equals("eager");
            if (!isEager && !pace.equals("tick")) {
                throw fault("--pace", pace, "tick or eager");
            }
            if (isEager && !knowsEager) {
                throw fault("--pace", pace, "tick with the model diff");
            }
        }
        Pace.Eager usual = fromFile.pace() instanceof Pace.Eager eager ? eager : Pace.Eager.DEFAULT;
        return isEager
                ? new Pace.Eager(usual.gather(), usual.longestWait(), chosenInterval)
                : new Pace.Tick(chosenInterval);
    }

    private Optional<ArmTimes> chosenTimes() throws BadInputException {
        if (armTimes == null) {
            return Optional.empty();
        }
        if (chosenVia().equals("https")) {
            throw fault("--arm-times", armTimes, "omitted with --via https, where calls take real time");
        }
        try {
            return Optional.of(ArmTimes.parse(armTimes));
        } catch (IllegalArgumentException e) {
            throw fault("--arm-times", armTimes, String.valueOf(e.getMessage()));
        }
    }

    private Speed chosenSpeed(Time time) throws BadInputException {
        if (speed.equals("max")) {
            return Speed.MAX;
        }
        double times = number(speed).map(BigDecimal::doubleValue).orElse(0.0);
        if (!(times > 0) || Double.isInfinite(times)) {
            throw fault("--speed", speed, "max or a number greater than 0");
        }
        return Speed.times(times, time);
    }

    private int retries(EngineSettings fromFile) throws BadInputException {
        if (maxRetries == null) {
            return fromFile.maxRetries();
        }
        try {
            return MaxRetries.of(Integer.valueOf(maxRetries));
        } catch (NumberFormatException e) {
            throw new BadInputException(
                    new InputFault("--max-retries", "", "found \"" + maxRetries + "\", must be a whole number"), e);
        }
    }

    private static Optional<BigDecimal> number(String text) {
        try {
            return text.length() > 40 ? Optional.empty() : Optional.of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    private List<Recording> chosenRecordings(List<InputFault> found) throws IOException {
        if (recordings.isEmpty()) {
            return List.of(BundledReplay.recording());
        }
        List<Recording> opened = new ArrayList<>();
        for (String name : recordings) {
            Optional<Recording> recording =
                    orElse(() -> Optional.of(InputFile.recording("RECORDING", name)), Optional.empty(), found);
            recording.ifPresent(opened::add);
        }
        return opened;
    }

    private Inventory chosenInventory() throws BadInputException, IOException {
        if (inventory != null) {
            return InputFile.inventory("--inventory", inventory);
        }
        if (recordings.isEmpty()) {
            return BundledReplay.inventory();
        }
        throw new BadInputException(
                new InputFault("--inventory", "", "is missing, but required with your own recording"));
    }

    private Faults chosenFaults() throws BadInputException, IOException {
        if (faults != null) {
            Faults chosen = InputFile.faults("--faults", faults);
            if (chosenVia().equals("memory") && chosen.usesHttpsOnlyKeys()) {
                throw new BadInputException(
                        new InputFault(faults, "", "has rules that apply only over HTTPS, see docs/testing.md"));
            }
            return chosen;
        }
        return recordings.isEmpty() ? BundledReplay.faults() : Faults.NONE;
    }

    private static BadInputException fault(String option, String value, String allowed) {
        return new BadInputException(new InputFault(option, "", "found \"" + value + "\", must be " + allowed));
    }
}
