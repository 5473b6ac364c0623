package dev.poolkeeper.lab.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.poolkeeper.app.offender.AppOffender;
import dev.poolkeeper.azure.offender.AzureOffender;
import dev.poolkeeper.core.offender.ChanceOffenders;
import dev.poolkeeper.core.offender.ClockOffenders;
import dev.poolkeeper.core.offender.HiddenParameterOffender;
import dev.poolkeeper.core.retry.offender.CoreOffender;
import dev.poolkeeper.emulators.http.LoopbackServer;
import dev.poolkeeper.emulators.offender.EmulatorsOffender;
import dev.poolkeeper.fake.offender.FakeOffender;
import dev.poolkeeper.input.offender.InputOffender;
import dev.poolkeeper.k8s.lease.HolderIdentity;
import dev.poolkeeper.k8s.offender.K8sOffender;
import dev.poolkeeper.lab.offender.LabOffender;
import dev.poolkeeper.ports.SystemTime;
import dev.poolkeeper.ports.offender.PortsOffender;
import dev.poolkeeper.simulation.offender.SimulationOffender;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The dependency rules. Each comes with classes that break it, which it must detect. */
class ArchitectureTest {

    private static final String BASE = "dev.poolkeeper.";
    /** All shipped classes of the modules, without their tests. */
    private static final JavaClasses HOUSE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/tests/") && !location.contains("-tests.jar"))
            .importPackages("dev.poolkeeper");

    /** A rule with its name and a class that breaks it. */
    static Stream<Arguments> rules() {
        List<Arguments> rules = new ArrayList<>();
        rules.add(rule(
                "ports import the JDK and JSpecify",
                only(BASE + "ports..", "java..", "org.jspecify.."),
                PortsOffender.class));
        rules.add(rule(
                "core imports the JDK, ports, JSpecify and slf4j-api",
                only(BASE + "core..", "java..", BASE + "ports..", "org.jspecify..", "org.slf4j.."),
                CoreOffender.class));
        rules.add(rule(
                "input imports the JDK, ports, JSpecify, Jackson and RE2/J",
                only(
                        BASE + "input..",
                        "java..",
                        BASE + "ports..",
                        "org.jspecify..",
                        "com.fasterxml.jackson..",
                        "com.google.re2j.."),
                InputOffender.class));
        rules.add(rule(
                "adapter-azure imports the JDK, ports, the Azure SDK with its MSAL, and slf4j-api",
                only(
                        BASE + "azure..",
                        "java..",
                        "javax.net..",
                        BASE + "ports..",
                        "org.jspecify..",
                        "org.slf4j..",
                        "com.azure..",
                        "com.microsoft.aad.msal4j..", // what azure-identity throws
                        "reactor.."),
                AzureOffender.class));
        rules.add(rule(
                "adapter-k8s imports the JDK, ports, input, Jackson, Fabric8 and slf4j-api",
                only(
                        BASE + "k8s..",
                        "java..",
                        "javax.net..",
                        BASE + "ports..",
                        BASE + "input..",
                        "org.jspecify..",
                        "org.slf4j..",
                        "com.fasterxml.jackson..",
                        "io.fabric8.."),
                K8sOffender.class));
        rules.add(rule(
                "adapter-fake imports the JDK, ports, input, JSpecify and Jackson",
                only(
                        BASE + "fake..",
                        "java..",
                        BASE + "ports..",
                        BASE + "input..",
                        "org.jspecify..",
                        "com.fasterxml.jackson.."),
                FakeOffender.class));
        rules.add(rule(
                "emulators import the JDK, ports, input, adapter-fake, Jackson, Bouncy Castle, and JUnit",
                only(
                        BASE + "emulators..",
                        "java..",
                        "javax.net..",
                        "com.sun.net.httpserver..",
                        BASE + "ports..",
                        BASE + "input..",
                        BASE + "fake..",
                        "org.jspecify..",
                        "com.fasterxml.jackson..",
                        "org.bouncycastle..",
                        "org.junit.jupiter.api.extension.."),
                EmulatorsOffender.class));
        rules.add(rule(
                "simulation imports what ships, the emulators, and what their wires, disks and logs are made of;"
                        + " nothing of the lab",
                only(
                        BASE + "simulation..",
                        "java..",
                        BASE + "ports..",
                        BASE + "input..",
                        BASE + "core..",
                        BASE + "azure..",
                        BASE + "k8s..",
                        BASE + "fake..",
                        BASE + "emulators..",
                        BASE + "app..",
                        "org.jspecify..",
                        "com.azure.core..",
                        "reactor..",
                        "io.fabric8.kubernetes..",
                        "com.google.inject..",
                        "com.google.common.jimfs..",
                        "org.slf4j..",
                        "ch.qos.logback..",
                        "com.fasterxml.jackson.."),
                SimulationOffender.class));
        rules.add(rule(
                "of the emulators only the socket front knows sockets and threads",
                noClasses()
                        .that()
                        .resideInAPackage(BASE + "emulators..")
                        .and()
                        .doNotHaveFullyQualifiedName(LoopbackServer.class.getName())
                        .should()
                        .dependOnClassesThat(DescribedPredicate.describe(
                                "sockets or threads",
                                (JavaClass c) -> c.getPackageName().startsWith("com.sun.net.httpserver")
                                        || List.of(
                                                        "java.lang.Thread",
                                                        "java.net.ServerSocket",
                                                        "java.net.Socket",
                                                        "java.util.concurrent.Executors",
                                                        "java.util.concurrent.ExecutorService")
                                                .contains(c.getName()))),
                EmulatorsOffender.class));
        rules.add(rule(
                "app knows neither fakes nor emulators, and nothing of simulation and lab",
                noClasses()
                        .that()
                        .resideInAPackage(BASE + "app..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                BASE + "fake..", BASE + "emulators..", BASE + "simulation..", BASE + "lab.."),
                AppOffender.class));
        rules.add(rule(
                "only the wiring knows Guice",
                noClasses()
                        .that()
                        .resideOutsideOfPackages(
                                BASE + "app.wiring..",
                                BASE + "lab.wiring..",
                                BASE + "lab.commands..",
                                BASE + "simulation.host..",
                                BASE + "simulation.daemon..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage("com.google.inject.."),
                LabOffender.class));
        rules.add(rule("time comes through the port", noneOf(RealTime.clock()), ClockOffenders.Call.class));
        rules.add(rule("chance comes through the port", noneOf(RealTime.chance()), ChanceOffenders.OfMath.class));
        rules.add(rule(
                "core has no random source, not even a seeded one",
                noClasses()
                        .that()
                        .resideInAPackage(BASE + "core..")
                        .should()
                        .dependOnClassesThat()
                        .haveNameMatching("java\\..*Random(Generator)?"),
                CoreOffender.class));
        rules.add(rule(
                "nothing is passed through the thread",
                noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class),
                HiddenParameterOffender.class));
        rules.add(rule(
                "core and ports do no I/O",
                noClasses()
                        .that()
                        .resideInAnyPackage(BASE + "core..", BASE + "ports..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "java.io..",
                                "java.nio",
                                "java.nio.channels..",
                                "java.nio.file..",
                                "java.net..",
                                "java.sql.."),
                CoreOffender.class));
        List<String> order = List.of("cluster", "pool", "queue", "merge", "classify", "guard", "engine", "readiness");
        List<Class<?>> offenders = List.of(
                dev.poolkeeper.core.cluster.offender.OrderOffender.class,
                dev.poolkeeper.core.pool.offender.OrderOffender.class,
                dev.poolkeeper.core.queue.offender.OrderOffender.class,
                dev.poolkeeper.core.merge.offender.OrderOffender.class,
                dev.poolkeeper.core.classify.offender.OrderOffender.class,
                dev.poolkeeper.core.guard.offender.OrderOffender.class,
                dev.poolkeeper.core.engine.offender.OrderOffender.class);
        for (int i = 0; i < order.size() - 1; i++) {
            String[] right = order.subList(i + 1, order.size()).stream()
                    .map(later -> BASE + "core." + later + "..")
                    .toArray(String[]::new);
            rules.add(rule(
                    "inside core, " + order.get(i) + " imports nothing to its right",
                    noClasses()
                            .that()
                            .resideInAPackage(BASE + "core." + order.get(i) + "..")
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(right),
                    offenders.get(i)));
        }
        rules.add(rule(
                "inside adapter-azure, http imports no other package",
                keepsOut(BASE + "azure.http..", BASE + "azure", BASE + "azure.pool..", BASE + "azure.identity.."),
                dev.poolkeeper.azure.http.offender.RoomOffender.class));
        rules.add(rule(
                "inside adapter-azure, pool imports http and nothing of the SDK",
                keepsOut(BASE + "azure.pool..", BASE + "azure", BASE + "azure.identity..", "com.azure..", "reactor.."),
                dev.poolkeeper.azure.pool.offender.RoomOffender.class));
        rules.add(rule(
                "inside adapter-azure, identity imports http alone",
                keepsOut(BASE + "azure.identity..", BASE + "azure", BASE + "azure.pool.."),
                dev.poolkeeper.azure.identity.offender.RoomOffender.class));
        rules.add(rule(
                "inside core, retry imports nothing else",
                noClasses()
                        .that()
                        .resideInAPackage(BASE + "core.retry..")
                        .should()
                        .dependOnClassesThat(
                                resideInAPackage(BASE + "core..").and(resideOutsideOfPackage(BASE + "core.retry.."))),
                dev.poolkeeper.core.retry.offender.OrderOffender.class));
        rules.add(rule(
                "inside core, only engine imports retry",
                noClasses()
                        .that()
                        .resideInAPackage(BASE + "core..")
                        .and()
                        .resideOutsideOfPackages(BASE + "core.engine..", BASE + "core.retry..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(BASE + "core.retry.."),
                dev.poolkeeper.core.guard.offender.RetryOffender.class));
        Map<String, Class<?>> rooms = Map.of(
                "client", dev.poolkeeper.k8s.client.offender.RoomOffender.class,
                "events", dev.poolkeeper.k8s.events.offender.RoomOffender.class,
                "kubeconfig", dev.poolkeeper.k8s.kubeconfig.offender.RoomOffender.class,
                "lease", dev.poolkeeper.k8s.lease.offender.RoomOffender.class,
                "permissions", dev.poolkeeper.k8s.permissions.offender.RoomOffender.class,
                "readiness", dev.poolkeeper.k8s.readiness.offender.RoomOffender.class,
                "watch", dev.poolkeeper.k8s.watch.offender.RoomOffender.class);
        rooms.forEach((room, offender) -> rules.add(rule(
                "inside adapter-k8s, " + room + " imports no other package but client",
                noClasses()
                        .that()
                        .resideInAPackage(BASE + "k8s." + room + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(rooms.keySet().stream()
                                .filter(other -> !other.equals(room) && !other.equals("client"))
                                .map(other -> BASE + "k8s." + other + "..")
                                .toArray(String[]::new)),
                offender)));
        rules.add(rule(
                "inside adapter-k8s, policies imports no other package but client and watch",
                keepsOut(
                        BASE + "k8s.policies..",
                        rooms.keySet().stream()
                                .filter(other -> !other.equals("client") && !other.equals("watch"))
                                .map(other -> BASE + "k8s." + other + "..")
                                .toArray(String[]::new)),
                dev.poolkeeper.k8s.policies.offender.RoomOffender.class));
        return rules.stream();
    }

    private static Arguments rule(String name, ArchRule rule, Class<?> offender) {
        return Arguments.of(name, rule, offender);
    }

    /**
     * For everything except programs and servers, which own the real clock; and except for an identity, which must
     * differ from that of every other process.
     */
    private static ArchRule noneOf(DescribedPredicate<JavaAccess<?>> access) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(BASE + "app..", BASE + "lab..", BASE + "emulators..", BASE + "benchmarks..")
                .and(not(belongToAnyOf(SystemTime.class, HolderIdentity.class)))
                .should()
                .accessTargetWhere(access);
    }

    private static ArchRule keepsOut(String from, String... others) {
        return noClasses()
                .that()
                .resideInAPackage(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    private static ArchRule only(String from, String... allowed) {
        return classes()
                .that()
                .resideInAPackage(from)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        Stream.concat(Stream.of(from), Stream.of(allowed)).toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void the_code_base_follows_the_rule(String name, ArchRule rule, Class<?> offender) {
        rule.check(HOUSE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void the_rule_detects_an_offender(String name, ArchRule rule, Class<?> offender) {
        assertThat(violates(rule, offender)).isTrue();
    }

    static Stream<Class<?>> clockOffenders() {
        return Stream.of(ClockOffenders.class.getDeclaredClasses());
    }

    @ParameterizedTest
    @MethodSource("clockOffenders")
    void every_use_of_a_real_clock_is_detected(Class<?> offender) {
        assertThat(violates(noneOf(RealTime.clock()), offender)).isTrue();
    }

    static Stream<Class<?>> chanceOffenders() {
        return Stream.of(ChanceOffenders.class.getDeclaredClasses());
    }

    @ParameterizedTest
    @MethodSource("chanceOffenders")
    void every_use_of_a_random_source_is_detected(Class<?> offender) {
        assertThat(violates(noneOf(RealTime.chance()), offender)).isTrue();
    }

    private static boolean violates(ArchRule rule, Class<?> offender) {
        return rule.evaluate(new ClassFileImporter().importClasses(offender)).hasViolation();
    }

    /** Every package that has sources, in every module that ships classes of its own. */
    @Test
    void every_package_of_every_module_is_checked() throws IOException {
        List<String> modules = modules();
        assertThat(modules).contains("ports", "core", "adapter-azure", "app", "simulation", "lab");
        for (String module : modules) {
            assertThat(packagesOf(module))
                    .as(module)
                    .isNotEmpty()
                    .allSatisfy(name ->
                            assertThat(HOUSE.containPackage(name)).as(name).isTrue());
        }
    }

    private static List<String> modules() throws IOException {
        return Pattern.compile("<module>(.*)</module>")
                .matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map(result -> result.group(1))
                .filter(module -> !module.startsWith("benchmarks")) // not shipped
                .filter(module -> !module.equals("bom")) // no classes
                .toList();
    }

    private static Set<String> packagesOf(String module) throws IOException {
        Path sources = Path.of("..", module, "src", "main", "java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .map(file -> sources.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .collect(Collectors.toSet());
        }
    }
}
