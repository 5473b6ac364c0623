package dev.poolkeeper.app.config;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.app.commands.CommandLineRun;
import dev.poolkeeper.app.config.DaemonSettings.AdminSettings;
import dev.poolkeeper.app.config.DaemonSettings.CallSettings;
import dev.poolkeeper.app.config.DaemonSettings.ElectionKeys;
import dev.poolkeeper.app.config.DaemonSettings.Format;
import dev.poolkeeper.app.config.DaemonSettings.GateKeys;
import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.app.config.DaemonSettings.LockKeys;
import dev.poolkeeper.app.config.DaemonSettings.PolicyObjects;
import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.EngineSettings;
import dev.poolkeeper.core.guard.BrakeSettings;
import dev.poolkeeper.core.guard.GuardSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;

class DaemonKeysTest {

    private static final String PLACE = "subscriptionId: s-1\nresourceGroup: g-1\n";

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("poolkeeper.yaml"), text);
    }

    private Configuration read(String text) throws IOException, BadInputException {
        return ConfigurationReader.read(file(text), Map.of());
    }

    private static LoadBalancerSelection selected(Configuration configuration) {
        return requireNonNull(configuration.azure()).settings().loadBalancers();
    }

    private static String effective(Configuration configuration, String key) {
        return configuration.values().stream()
                .filter(value -> value.key().equals(key))
                .map(value -> value.value() + " (" + value.origin().replaceFirst(".*poolkeeper.yaml", "file") + ")")
                .findFirst()
                .orElseThrow();
    }

    @Test
    void without_keys_the_defaults_apply() throws Exception {
        Configuration configuration = read("{}");

        assertThat(configuration.daemon())
                .isEqualTo(new DaemonSettings(
                        new KubernetesConnection(null, null, null),
                        false,
                        new PolicyObjects(true, "kube-system"),
                        new CallSettings(64, Duration.ofSeconds(25)),
                        new ElectionKeys(true, "poolkeeper-leader", "kube-system", ElectionSettings.DEFAULT),
                        new LockKeys("aks-managed-resource-locker", "kube-system", ResourceLockSettings.DEFAULT),
                        new GateKeys(false, List.of(), Duration.ofMinutes(10)),
                        new AdminSettings("127.0.0.1", 8095, List.of()),
                        Format.TEXT));
        assertThat(configuration.live())
                .isEqualTo(new LiveSettings(
                        RetrySources.of(RetrySettings.DEFAULT),
                        false,
                        50,
                        Set.of(),
                        LogLevels.DEFAULT,
                        List.of(folder.resolve("poolkeeper.yaml"))));
        assertThat(configuration.engine()).isEqualTo(EngineSettings.DEFAULT);
    }

    @Test
    void every_key_is_read_in_any_case() throws Exception {
        Path kubeconfig = Files.writeString(folder.resolve("kube.yaml"), "clusters: []");

        Configuration configuration = read("""
            kubeconfig: kube.yaml
            kubeContext: blue
            dryRun: true
            policyObjects: false
            PolicyNamespace: red
            PAUSED: true
            directoryRefreshIntervalInSeconds: 31
            resyncIntervalInSeconds: 0
            loadBalancerConcurrency: 64
            safetybrake: {Percent: 0, minaddresses: 5, holdInSeconds: 77, agreed: 4f2a}
            leaderElection:
              enabled: false
              LeaseName: blue.leader
              leaseNamespace: blue
              leaseDurationInSeconds: 20
              renewDeadlineInSeconds: 13
              retryPeriodInSeconds: 3
            resourceLock: {leaseName: locker, leaseNamespace: green, leaseDurationInSeconds: 61}
            readinessgate: {Enabled: true, namespaces: [shop, bank], timeoutinseconds: 99}
            admin: {address: '::', port: 0, hosts: [keeper.corp.example]}
            logging: {format: JSON, level: Warn, loggers: {dev.poolkeeper.core: Debug, io.fabric8: info}}
            shutdownGraceInSeconds: 0
            """);

        ResourceLockSettings usual = ResourceLockSettings.DEFAULT;
        assertThat(configuration.daemon())
                .isEqualTo(new DaemonSettings(
                        new KubernetesConnection(kubeconfig, "blue", null),
                        true,
                        new PolicyObjects(false, "red"),
                        new CallSettings(64, Duration.ZERO),
                        new ElectionKeys(
                                false,
                                "blue.leader",
                                "blue",
                                new ElectionSettings(
                                        Duration.ofSeconds(20), Duration.ofSeconds(13), Duration.ofSeconds(3))),
                        new LockKeys(
                                "locker",
                                "green",
                                new ResourceLockSettings(
                                        Duration.ofSeconds(61),
                                        usual.renewInterval(),
                                        usual.retry(),
                                        usual.renewDeadline())),
                        new GateKeys(false, List.of("shop", "bank"), Duration.ofSeconds(99)),
                        new AdminSettings("::", 0, List.of("keeper.corp.example")),
                        Format.JSON));
        assertThat(configuration.live())
                .isEqualTo(new LiveSettings(
                        RetrySources.of(RetrySettings.DEFAULT),
                        true,
                        0,
                        Set.of("4f2a"),
                        new LogLevels(Level.WARN, Map.of("dev.poolkeeper.core", Level.DEBUG, "io.fabric8", Level.INFO)),
                        List.of(folder.resolve("poolkeeper.yaml"))));
        assertThat(configuration.engine())
                .isEqualTo(EngineSettings.DEFAULT
                        .withDirectoryRefresh(Duration.ofSeconds(31))
                        .withResync(Duration.ZERO)
                        .withGuards(GuardSettings.DEFAULT.withBrake(
                                new BrakeSettings(0, 5, Duration.ofSeconds(77), Duration.ofSeconds(30)))));
        assertThat(effective(configuration, "leaderElection.leaseName")).isEqualTo("blue.leader (file)");
        assertThat(effective(configuration, "safetyBrake.agreed")).isEqualTo("4f2a (file)");
        assertThat(configuration.warnings())
                .containsExactly(
                        "resourceLock: Azure's other writers honour only the Lease"
                                + " kube-system/aks-managed-resource-locker",
                        "readinessGate: a dry run sets no conditions, so Pods with the gate keep waiting");
    }

    @Test
    void the_readiness_gate_is_on_only_if_enabled_and_not_in_a_dry_run() throws Exception {
        Configuration configuration = read("readinessGate: {enabled: true, namespaces: [shop]}");

        assertThat(configuration.daemon().gate())
                .isEqualTo(new GateKeys(true, List.of("shop"), Duration.ofMinutes(10)));
        assertThat(effective(configuration, "readinessGate.namespaces")).isEqualTo("shop (file)");
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void the_election_namespace_defaults_to_the_pods() throws Exception {
        Map<String, String> pod = Map.of("POD_NAME", "poolkeeper-0", "POD_NAMESPACE", "pools");

        Configuration inPod = ConfigurationReader.read(file("{}"), pod);
        Configuration configured = ConfigurationReader.read(file("leaderElection: {leaseNamespace: blue}"), pod);
        Configuration blank = ConfigurationReader.read(file("{}"), Map.of("POD_NAMESPACE", " ", "POD_NAME", ""));

        assertThat(inPod.daemon().kubernetes().podName()).isEqualTo("poolkeeper-0");
        assertThat(effective(inPod, "leaderElection.leaseNamespace")).isEqualTo("pools (environment: POD_NAMESPACE)");
        assertThat(inPod.daemon().lock().leaseNamespace()).isEqualTo("kube-system");
        assertThat(effective(configured, "leaderElection.leaseNamespace")).isEqualTo("blue (file)");
        assertThat(effective(blank, "leaderElection.leaseNamespace")).isEqualTo("kube-system (default)");
        assertThat(blank.daemon().kubernetes().podName()).isNull();
    }

    @Test
    @Rule(
            id = "H1",
            says = "The cluster's load balancers are selected by name, otherwise by tag; with neither, all load"
                    + " balancers of the resource group count, with a warning.",
            source = "cloud-provider-azure, multipleStandardLoadBalancerConfigurations")
    void load_balancers_are_selected_by_name_then_by_tag_then_all() throws Exception {
        String names = "MultipleStandardLoadBalancerConfigurations: [{Name: kubernetes, autoPlaceServices: true},"
                + " {name: lb2, serviceLabelSelector: {matchLabels: {a: b}}}]\n";
        String tag = "loadBalancerTag: {name: cluster, value: blue}\n";

        Configuration named = read(PLACE + names);
        assertThat(selected(named)).isEqualTo(LoadBalancerSelection.named(List.of("kubernetes", "lb2")));
        assertThat(effective(named, Keys.LOAD_BALANCERS.name())).isEqualTo("kubernetes, lb2 (file)");
        assertThat(named.warnings()).isEmpty();
        Configuration tagged = read(PLACE + tag);
        assertThat(selected(tagged)).isEqualTo(LoadBalancerSelection.tagged("cluster", "blue"));
        assertThat(tagged.warnings()).isEmpty();
        Configuration both = read(PLACE + tag + names);
        assertThat(selected(both)).isEqualTo(selected(named));
        assertThat(both.warnings())
                .containsExactly(
                        "loadBalancerTag: not used, multipleStandardLoadBalancerConfigurations takes precedence");
        Configuration neither = read(PLACE + "multipleStandardLoadBalancerConfigurations: []\n");
        assertThat(selected(neither)).isEqualTo(LoadBalancerSelection.all());
        assertThat(neither.warnings())
                .containsExactly("neither multipleStandardLoadBalancerConfigurations nor loadBalancerTag is"
                        + " set: every load balancer of the resource group counts as this cluster's");
        assertThat(read("{}").warnings()).isEmpty();
    }

    @Test
    void an_unknown_nested_key_is_a_warning_that_names_the_nearest() throws Exception {
        assertThat(read("safetyBrake: {percnt: 5}").warnings())
                .containsExactly(folder.resolve("poolkeeper.yaml")
                        + ": safetyBrake.percnt: unknown key, ignored; did you mean safetyBrake.percent?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "kubeconfig: none.yaml | kubeconfig: found \"none.yaml\", must be a kubeconfig file that can be read",
                "kubeContext: 7 | kubeContext: found 7, must be a string",
                "dryRun: 'yes' | dryRun: found \"yes\", must be true or false",
                "paused: 1 | paused: found 1, must be true or false",
                "directoryRefreshIntervalInSeconds: 0 | directoryRefreshIntervalInSeconds: found 0, must be a whole"
                        + " number from 1 to 86400",
                "directoryRefreshIntervalInSeconds: 86401 | directoryRefreshIntervalInSeconds: found 86401, must be a"
                        + " whole number from 1 to 86400",
                "resyncIntervalInSeconds: -1 | resyncIntervalInSeconds: found -1, must be a whole number from 0 to"
                        + " 86400",
                "resyncIntervalInSeconds: 86401 | resyncIntervalInSeconds: found 86401, must be a whole number from 0"
                        + " to 86400",
                "loadBalancerConcurrency: 0 | loadBalancerConcurrency: found 0, must be a whole number from 1 to 64",
                "loadBalancerConcurrency: 65 | loadBalancerConcurrency: found 65, must be a whole number from 1 to 64",
                "multipleStandardLoadBalancerConfigurations: lb | multipleStandardLoadBalancerConfigurations: found"
                        + " \"lb\", must be an array of objects, each with a name",
                "multipleStandardLoadBalancerConfigurations: [lb] | multipleStandardLoadBalancerConfigurations[0]:"
                        + " found \"lb\", must be an object",
                "multipleStandardLoadBalancerConfigurations: [{a: b}] |"
                        + " multipleStandardLoadBalancerConfigurations[0].name: is missing, must be a string",
                "multipleStandardLoadBalancerConfigurations: [{name: a/b}] |"
                        + " multipleStandardLoadBalancerConfigurations[0].name: found \"a/b\", must be a name without"
                        + " slashes and spaces",
                "multipleStandardLoadBalancerConfigurations: [{name: a}, {name: A}] |"
                        + " multipleStandardLoadBalancerConfigurations[1].name: found \"A\", must not be named twice",
                "loadBalancerTag: blue | loadBalancerTag: found \"blue\", must be an object",
                "loadBalancerTag: {name: a} | loadBalancerTag.value: is missing, name and value must be set together",
                "loadBalancerTag: {value: a} | loadBalancerTag.name: is missing, name and value must be set together",
                "loadBalancerTag: {name: a/b, value: a} | loadBalancerTag.name: found \"a/b\", must be a tag's name of"
                        + " at most 512 characters without < > % & \\ ? /",
                "safetyBrake: {percent: -1} | safetyBrake.percent: found -1, must be a whole number from 0 to 100",
                "safetyBrake: {percent: 101} | safetyBrake.percent: found 101, must be a whole number from 0 to 100",
                "safetyBrake: {minAddresses: -1} | safetyBrake.minAddresses: found -1, must be a whole number from 0 to"
                        + " 1000000",
                "safetyBrake: {minAddresses: 1000001} | safetyBrake.minAddresses: found 1000001, must be a whole number"
                        + " from 0 to 1000000",
                "safetyBrake: {holdInSeconds: 0} | safetyBrake.holdInSeconds: found 0, must be a whole number from 1 to"
                        + " 86400",
                "safetyBrake: {holdInSeconds: 86401} | safetyBrake.holdInSeconds: found 86401, must be a whole number"
                        + " from 1 to 86400",
                "safetyBrake: {agreed: 7} | safetyBrake.agreed: found 7, must be a string or an array of distinct"
                        + " strings",
                "safetyBrake: {agreed: [a, a]} | safetyBrake.agreed: found [\"a\",\"a\"], must be a string or an array"
                        + " of distinct strings",
                "safetyBrake: {agreed: [a, 7]} | safetyBrake.agreed: found [\"a\",7], must be a string or an array of"
                        + " distinct strings",
                "leaderElection: {enabled: 1} | leaderElection.enabled: found 1, must be true or false",
                "leaderElection: {leaseName: A} | leaderElection.leaseName: found \"A\", must be the name of a"
                        + " Kubernetes object",
                "leaderElection: {leaseNamespace: a.b} | leaderElection.leaseNamespace: found \"a.b\", must be the name"
                        + " of a namespace",
                "leaderElection: {leaseDurationInSeconds: 0} | leaderElection.leaseDurationInSeconds: found 0, must be"
                        + " a whole number from 1 to 3600",
                "leaderElection: {leaseDurationInSeconds: 3601} | leaderElection.leaseDurationInSeconds: found 3601,"
                        + " must be a whole number from 1 to 3600",
                "leaderElection: {leaseDurationInSeconds: 10} | leaderElection.renewDeadlineInSeconds: is 10, must be"
                        + " less than leaseDurationInSeconds, which is 10",
                "leaderElection: {renewDeadlineInSeconds: 0} | leaderElection.renewDeadlineInSeconds: found 0, must be"
                        + " a whole number from 1 to 3600",
                "leaderElection: {retryPeriodInSeconds: 0} | leaderElection.retryPeriodInSeconds: found 0, must be a"
                        + " whole number from 1 to 3600",
                "leaderElection: {renewDeadlineInSeconds: 6, retryPeriodInSeconds: 5} |"
                        + " leaderElection.retryPeriodInSeconds: is 5, and 1.2 times that must be less than"
                        + " renewDeadlineInSeconds, which is 6",
                "resourceLock: {leaseName: a b} | resourceLock.leaseName: found \"a b\", must be the name of a"
                        + " Kubernetes object",
                "resourceLock: {leaseDurationInSeconds: 40} | resourceLock.leaseDurationInSeconds: found 40, must be a"
                        + " whole number from 41 to 86400",
                "resourceLock: {leaseDurationInSeconds: 86401} | resourceLock.leaseDurationInSeconds: found 86401, must"
                        + " be a whole number from 41 to 86400",
                "resourceLock: {leaseName: poolkeeper-leader} | resourceLock.leaseName: found \"poolkeeper-leader\","
                        + " must not be the Lease of leaderElection",
                "readinessGate: {enabled: 1} | readinessGate.enabled: found 1, must be true or false",
                "readinessGate: {namespaces: shop} | readinessGate.namespaces: found \"shop\", must be an array of"
                        + " distinct namespace names",
                "readinessGate: {namespaces: [shop, a.b]} | readinessGate.namespaces: found [\"shop\",\"a.b\"], must be"
                        + " an array of distinct namespace names",
                "readinessGate: {timeoutInSeconds: -1} | readinessGate.timeoutInSeconds: found -1, must be a whole"
                        + " number from 0 to 86400",
                "admin: {address: localhost} | admin.address: found \"localhost\", must be an IP address such as"
                        + " 127.0.0.1 or 0.0.0.0",
                "admin: {port: -1} | admin.port: found -1, must be a whole number from 0 to 65535",
                "admin: {port: 65536} | admin.port: found 65536, must be a whole number from 0 to 65535",
                "logging: {format: xml} | logging.format: found \"xml\", must be one of text, json",
                "logging: {level: trace} | logging.level: found \"trace\", must be one of error, warn, info, debug",
                "logging: {loggers: {a.b: loud}} | logging.loggers[a.b]: found \"loud\", must be one of error, warn,"
                        + " info, debug",
                "logging: {loggers: debug} | logging.loggers: found \"debug\", must be an object with logger names,"
                        + " each with one of error, warn, info, debug",
                "logging: {level: info, Level: warn} | logging.Level: is set twice, in different spellings",
                "multipleStandardLoadBalancerConfigurations: [{name: ''}] |"
                        + " multipleStandardLoadBalancerConfigurations[0].name: found \"\", must be a name without"
                        + " slashes and spaces",
                "multipleStandardLoadBalancerConfigurations: [{name: null}] |"
                        + " multipleStandardLoadBalancerConfigurations[0].name: is missing, must be a string",
                "multipleStandardLoadBalancerConfigurations: [{name: 7}] |"
                        + " multipleStandardLoadBalancerConfigurations[0].name: found 7, must be a name without"
                        + " slashes and spaces",
                "safetyBrake: {agreed: {}} | safetyBrake.agreed: found {}, must be a string or an array of distinct"
                        + " strings",
                "readinessGate: {namespaces: [shop, shop]} | readinessGate.namespaces: found [\"shop\",\"shop\"], must"
                        + " be an array of distinct namespace names",
                "readinessGate: {namespaces: {}} | readinessGate.namespaces: found {}, must be an array of distinct"
                        + " namespace names",
                "retryPolicyFiles: a.yaml | retryPolicyFiles: found \"a.yaml\", must be an array of file names",
                "retryPolicyFiles: [7] | retryPolicyFiles: found [7], must be an array of file names",
                "retryPolicyFiles: {} | retryPolicyFiles: found {}, must be an array of file names",
                "admin: {hosts: [Keeper]} | admin.hosts: found [\"Keeper\"], must be an array of distinct host names in"
                        + " lower case",
                "shutdownGraceInSeconds: -1 | shutdownGraceInSeconds: found -1, must be a whole number from 0 to 3600",
                "shutdownGraceInSeconds: 3601 | shutdownGraceInSeconds: found 3601, must be a whole number from 0 to"
                        + " 3600",
            })
    void a_value_out_of_bounds_is_reported_with_the_allowed_range(String text, String fault) throws Exception {
        Path file = file(text + "\n");

        assertThatThrownBy(() -> ConfigurationReader.read(file, Map.of()))
                .isInstanceOfSatisfying(
                        BadInputException.class,
                        e -> assertThat(e.faults()).extracting(Object::toString).containsExactly(file + ": " + fault));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "directoryRefreshIntervalInSeconds: 1",
                "directoryRefreshIntervalInSeconds: 86400",
                "resyncIntervalInSeconds: 86400",
                "loadBalancerConcurrency: 1",
                "safetyBrake: {percent: 100, minAddresses: 1000000, holdInSeconds: 86400}",
                "safetyBrake: {percent: 0, minAddresses: 0, holdInSeconds: 1}",
                "leaderElection: {leaseDurationInSeconds: 3600, renewDeadlineInSeconds: 3599,"
                        + " retryPeriodInSeconds: 2999}",
                "leaderElection: {leaseDurationInSeconds: 3, renewDeadlineInSeconds: 2, retryPeriodInSeconds: 1}",
                "resourceLock: {leaseDurationInSeconds: 86400}",
                "readinessGate: {enabled: true, namespaces: [shop, bank], timeoutInSeconds: 0}",
                "readinessGate: {namespaces: [], timeoutInSeconds: 86400}",
                "admin: {port: 65535, address: 0.0.0.0}",
                "shutdownGraceInSeconds: 3600",
                "retryConstraint: {budget: {interval: 1s}, minRetryRate: {interval: 1ms}}",
                "retryConstraint: {budget: {interval: 1h}, minRetryRate: {interval: 1h}}",
                "timeouts: {request: 99999h, backendRequest: 0s}",
            })
    void values_at_the_bounds_are_accepted(String text) throws Exception {
        assertThat(read(text).warnings()).isEmpty();
    }

    @Test
    @Rule(
            id = "H2",
            says = "check-config reports all faults of the daemon's keys at once, and prints each key with the origin"
                    + " of its value.",
            source = "contract, The command line")
    void check_config_reports_the_daemons_faults_at_once_and_prints_its_keys() throws Exception {
        Path bad = file(PLACE + "safetyBrake: {percent: 101}\nadmin: {port: x}\nlogging: {level: loud}\n");
        CommandLineRun refused = CommandLineRun.of("check-config", bad.toString());

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.errLines())
                .containsExactly(
                        "poolkeeper: " + bad + ": safetyBrake.percent: found 101, must be a whole number from 0 to 100",
                        "poolkeeper: " + bad + ": admin.port: found \"x\", must be a whole number from 0 to 65535",
                        "poolkeeper: " + bad
                                + ": logging.level: found \"loud\", must be one of error, warn, info, debug");

        Path good = file(PLACE + "dryRun: true\nsafetyBrake: {percent: 10}\n");
        CommandLineRun taken = CommandLineRun.of("check-config", good.toString());

        assertThat(taken.out().lines().map(line -> line.replaceAll(" +=", " =")))
                .contains(
                        "dryRun = true  (" + good + ")",
                        "safetyBrake.percent = 10  (" + good + ")",
                        "safetyBrake.minAddresses = 20  (default)",
                        "leaderElection.enabled = true  (default)",
                        "kubeconfig = none  (default)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        253  | .  | leaderElection: {leaseName: NAME}
        253  | .  | resourceLock: {leaseName: NAME, leaseNamespace: a}
        253  | .  | admin: {hosts: [NAME]}
        63   | a  | policyNamespace: NAME
        63   | a  | leaderElection: {leaseNamespace: NAME}
        63   | a  | resourceLock: {leaseNamespace: NAME}
        63   | a  | readinessGate: {namespaces: [NAME]}
        253  | .  | tenantId: NAME
        1024 | a  | vnetName: NAME
        1024 | a  | multipleStandardLoadBalancerConfigurations: [{name: NAME}]
        512  | a  | loadBalancerTag: {name: NAME, value: a}
        256  | a  | loadBalancerTag: {name: a, value: NAME}
        """)
    void each_name_has_a_longest_length(int longest, String separator, String text) throws Exception {
        String name = ("a".repeat(9) + separator).repeat(200).substring(0, longest - 1) + "a";
        assertThat(read(text.replace("NAME", name)).values()).isNotEmpty();
        assertThatThrownBy(() -> read(text.replace("NAME", name + "a")))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining(", must be ");
    }

    @Test
    void several_removals_may_be_agreed_to() throws Exception {
        Configuration configuration = read("safetyBrake: {agreed: [a, b, c]}");
        assertThat(configuration.live().agreedRemovals()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(effective(configuration, "safetyBrake.agreed")).isEqualTo("a, b, c (file)");
        assertThat(read("safetyBrake: {agreed: []}").live().agreedRemovals()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        leaseName: poolkeeper-leader, leaseNamespace: green      | 1
        leaseName: aks-managed-resource-locker                   | 0
        leaseNamespace: kube-system                              | 0
        leaseNamespace: green                                    | 1
        leaseName: locker                                        | 1
        """)
    void the_lock_may_be_any_lease_but_that_of_the_election_and_others_honour_one(String keys, int warnings)
            throws Exception {
        assertThat(read("resourceLock: {" + keys + "}").warnings()).hasSize(warnings);
    }

    @ParameterizedTest
    @CsvSource({"true, true, false", "true, false, true", "false, true, true", "false, false, true"})
    void the_namespace_of_the_pod_is_checked_if_it_is_used(boolean hasLease, boolean hasPolicies, boolean isFault)
            throws Exception {
        Path file = file((hasLease ? "leaderElection: {leaseNamespace: blue}\n" : "")
                + (hasPolicies ? "policyNamespace: red\n" : "") + "dryRun: true\n");
        Map<String, String> pod = Map.of("POD_NAMESPACE", "Not A Namespace");
        if (isFault) {
            assertThatThrownBy(() -> ConfigurationReader.read(file, pod))
                    .hasMessage("POD_NAMESPACE: found \"Not A Namespace\", must be the name of a namespace");
        } else {
            assertThat(ConfigurationReader.read(file, pod).daemon().policies().namespace())
                    .isEqualTo("red");
        }
    }
}
