package dev.poolkeeper.app.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonObject;
import dev.poolkeeper.input.YamlFile;
import dev.poolkeeper.input.proxy.Proxies;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a configuration file: first each key, then the rules across keys; reports all faults at once. */
public final class ConfigurationReader {

    /** The JDK's own settings. */
    private static final List<String> PROXY_PROPERTIES =
            List.of("http.proxyHost", "https.proxyHost", "socksProxyHost", "java.net.useSystemProxies");

    private static final int MAX_BYTES = 1 << 20;

    private ConfigurationReader() {}

    /**
     * The settings for a replay, which needs neither credentials nor subscription nor cluster: neither their keys nor
     * the environment is read.
     *
     * @throws BadInputException with every fault of the file
     */
    public static Configuration readForReplay(Path file) throws BadInputException {
        return read(file, Map.of(), ConfigurationReader::isOfConnections, settings -> {});
    }

    private static boolean isOfConnections(String name) {
        return Keys.isOfConnections(name) || PassedOverKeys.contains(name);
    }

    /**
     * A configuration that a daemon can start with.
     *
     * @param environment the environment's variables
     * @throws BadInputException with every fault of the file, including missing keys that a daemon requires
     */
    public static Configuration readForDaemon(Path file, Map<String, String> environment) throws BadInputException {
        return read(file, environment, name -> false, DaemonKeys::requirePlace);
    }

    /**
     * @param environment the environment's variables
     * @throws BadInputException with every fault of the file
     */
    public static Configuration read(Path file, Map<String, String> environment) throws BadInputException {
        return read(file, environment, name -> false, settings -> {});
    }

    private static Configuration read(
            Path file, Map<String, String> environment, Predicate<String> isUnread, Consumer<Settings> more)
            throws BadInputException {
        FaultCollector faults = new FaultCollector(file.toString());
        List<String> warnings = new ArrayList<>();
        ObjectNode fields = fields(file, isUnread, faults, warnings);
        JsonObject root = JsonObject.of(fields, "", faults);
        Settings settings = Settings.read(root, file, environment, Keys.all());
        more.accept(settings);
        List<InputFault> ofEnvironment = new ArrayList<>();
        LeaseKeys.faultOfNamespace(settings).ifPresent(ofEnvironment::add);
        Proxies proxies = proxies(environment, ofEnvironment);
        Configuration configuration = configuration(settings, proxies, warnings);
        List<InputFault> all = Stream.of(faults.faults(), settings.faultsOfEnvironment(), ofEnvironment)
                .flatMap(Collection::stream)
                .toList();
        if (!all.isEmpty()) {
            throw new BadInputException(all);
        }
        return configuration;
    }

    /**
     * The keys that the file sets, in the spelling of {@link Keys}.
     *
     * @param isUnread whether a field of the file is ignored, whatever its value
     */
    private static ObjectNode fields(
            Path file, Predicate<String> isUnread, FaultCollector faults, List<String> warnings)
            throws BadInputException {
        JsonNode document = YamlFile.document(file, MAX_BYTES);
        if (!document.isObject()) {
            faults.add("", "holds no keys and values, must be YAML or JSON such as updateModel: desired-state");
            faults.throwIfAny();
        }
        ((ObjectNode) document)
                .remove(document.propertyStream()
                        .map(Map.Entry::getKey)
                        .filter(isUnread)
                        .toList());
        Placeholders.refuse(document, "", faults);
        ForeignPools.warn(document, file, warnings);
        return new KeySpelling(Keys.sections(), file, faults, warnings).spelt(document);
    }

    private static Proxies proxies(Map<String, String> environment, List<InputFault> faults) {
        try {
            return Proxies.of(environment);
        } catch (BadInputException e) {
            faults.addAll(e.faults());
            return Proxies.NONE;
        }
    }

    private static Configuration configuration(Settings settings, Proxies proxies, List<String> warnings) {
        EngineSettings engine = EngineKeys.read(settings);
        LiveSettings live = live(settings);
        @Nullable AzureConfiguration azure = AzureKeys.read(settings, proxies);
        DaemonSettings daemon = DaemonKeys.read(settings);
        List<String> all = new ArrayList<>(warnings);
        all.addAll(settings.notes());
        PROXY_PROPERTIES.stream()
                .filter(name -> System.getProperty(name) != null)
                .forEach(name -> all.add(name + ": not used, HTTPS_PROXY and HTTP_PROXY name the proxies"));
        return new Configuration(engine, live, azure, daemon, settings.effective(), all);
    }

    private static LiveSettings live(Settings settings) {
        RetrySources retries = RetryKeys.read(settings);
        List<Path> files = new ArrayList<>(List.of(settings.file()));
        files.addAll(settings.get(Keys.RETRY_POLICY_FILES));
        return new LiveSettings(
                retries,
                settings.get(Keys.PAUSED),
                settings.get(Keys.BRAKE_PERCENT),
                Set.copyOf(settings.get(Keys.BRAKE_AGREED)),
                new LiveSettings.LogLevels(settings.get(Keys.LOG_LEVEL), settings.get(Keys.LOGGERS)),
                files);
    }
}
