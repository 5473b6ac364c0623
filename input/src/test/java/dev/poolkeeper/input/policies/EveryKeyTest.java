package dev.poolkeeper.input.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.input.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each key and each word that the kinds' definitions have, and an unknown one at each level. */
class EveryKeyTest {

    private static final String ALL = """
        apiVersion: gateway.networking.k8s.io/v1
        kind: HTTPRoute
        metadata:
          name: all
          namespace: infra
          labels: {a: b}
          annotations: {a: b}
          creationTimestamp: "2026-01-02T00:00:00Z"
          generateName: al
          generation: 2
          resourceVersion: "7"
          uid: u
          selfLink: /x
          finalizers: [f]
          ownerReferences: [{name: o}]
          managedFields: [{manager: m}]
          deletionTimestamp: "2026-01-02T00:00:00Z"
          deletionGracePeriodSeconds: 30
        spec:
          useDefaultGateways: All
          hostnames: [example.org]
          parentRefs: [{group: "", kind: Service, name: s, namespace: infra, port: 443, sectionName: x}]
          rules:
          - name: r
            filters: [{type: X}]
            retry: {codes: [500], attempts: 2, backoff: 100ms}
            timeouts: {request: 30s, backendRequest: 10s}
            matches:
            - path: {type: Exact, value: /a}
              method: GET
              headers: [{type: Exact, name: h, value: v}]
              queryParams: [{type: Exact, name: q, value: v}]
            backendRefs:
            - group: ""
              kind: Service
              name: s
              namespace: infra
              port: 443
              weight: 1
              filters: [{type: X}]
        status: {parents: []}
        ---
        apiVersion: gateway.networking.x-k8s.io/v1alpha1
        kind: XBackendTrafficPolicy
        metadata: {name: budget, namespace: infra}
        spec:
          targetRefs: [{group: "", kind: Service, name: s}]
          retryConstraint:
            budget: {percent: 10, interval: 10s}
            minRetryRate: {count: 3, interval: 1s}
        status: {ancestors: []}
        ---
        apiVersion: gateway.networking.x-k8s.io/v1alpha1
        kind: BackendTrafficPolicy
        metadata: {name: draft, namespace: infra}
        spec:
          targetRefs: [{group: "", kind: Service, name: s}]
          retry: {budgetPercent: 10, budgetInterval: 10s, minRetryRate: {count: 3, interval: 1s}}
        ---
        apiVersion: linkerd.io/v1alpha2
        kind: ServiceProfile
        metadata: {name: s.infra.svc.cluster.local, namespace: infra}
        spec:
          opaquePorts: ["1"]
          dstOverrides: []
          retryBudget: {retryRatio: 0.3, minRetriesPerSecond: 1, ttl: 20s}
          routes:
          - name: r
            isRetryable: true
            timeout: 25s
            condition: {method: PUT, pathRegex: /a, all: [{method: PUT}], any: [{method: PUT}], not: {method: GET}}
            responseClasses:
            - isFailure: true
              condition: {status: {min: 500, max: 599}, all: [{status: {min: 500}}], any: [{status: {max: 599}}],
                not: {status: {min: 400, max: 499}}}
        """;

    @TempDir
    private Path folder;

    /** The faults of a file; none if it is read. */
    private List<String> faults(String manifests) throws Exception {
        Path file = folder.resolve("policies.yaml");
        Files.writeString(file, manifests);
        try {
            PolicyManifests read = PolicyManifests.read(List.of(file), PolicyDefaults.GATEWAY);
            assertThat(read.routes()).hasSize(1);
            return List.of();
        } catch (BadInputException e) {
            return e.faults().stream()
                    .map(fault -> fault.place() + ": " + fault.problem())
                    .toList();
        }
    }

    @Test
    void each_key_is_known() throws Exception {
        assertThat(faults(ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        'kind: HTTPRoute'         | kind: HTTPRoute\\nx: 1             | x
        'name: all'               | name: all\\n  x: 1                 | metadata.x
        'useDefaultGateways: All' | useDefaultGateways: All\\n  x: 1   | spec.x
        'sectionName: x'          | sectionName: x, x: 1              | spec.parentRefs[0].x
        '- name: r\\n    filters' | - name: r\\n    x: 1\\n    filters | spec.rules[0].x
        'backoff: 100ms'          | backoff: 100ms, x: 1              | spec.rules[0].retry.x
        'backendRequest: 10s'     | backendRequest: 10s, x: 1         | spec.rules[0].timeouts.x
        'value: /a'               | value: /a, x: 1                   | spec.rules[0].matches[0].path.x
        'method: GET\\n'          | method: GET\\n      x: 1\\n        | spec.rules[0].matches[0].x
        'name: h'                 | name: h, x: 1                     | spec.rules[0].matches[0].headers[0].x
        'name: q'                 | name: q, x: 1                     | spec.rules[0].matches[0].queryParams[0].x
        'weight: 1'               | weight: 1\\n      x: 1             | spec.rules[0].backendRefs[0].x
        'percent: 10, interval'   | percent: 10, x: 1, interval       | spec.retryConstraint.budget.x
        'retryRatio: 0.3'         | retryRatio: 0.3, x: 1             | spec.retryBudget.x
        'isRetryable: true'       | isRetryable: true\\n    x: 1       | spec.routes[0].x
        'pathRegex: /a'           | pathRegex: /a, x: 1               | spec.routes[0].condition.x
        'isFailure: true'         | isFailure: true\\n      x: 1       | spec.routes[0].responseClasses[0].x
        'max: 599}, all'          | max: 599, x: 1}, all              | spec.routes[0].responseClasses[0].condition.status.x
        """)
    void an_unknown_key_is_a_fault_at_each_level(String known, String both, String place) throws Exception {
        String before = known.replace("\\n", "\n");
        assertThat(ALL).contains(before);
        String found = ALL.replaceFirst(Pattern.quote(before), Matcher.quoteReplacement(both.replace("\\n", "\n")));
        assertThat(faults(found)).singleElement().asString().contains(": " + place + ": unknown key, must be one of ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"})
    void each_method_is_known(String method) throws Exception {
        assertThat(faults(ALL.replace("method: GET\n", "method: " + method + "\n")))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"get", "PURGE", "\"\""})
    void another_method_is_a_fault(String method) throws Exception {
        assertThat(faults(ALL.replace("method: GET\n", "method: " + method + "\n")))
                .singleElement()
                .asString()
                .endsWith("must be one of GET, HEAD, POST, PUT, DELETE, CONNECT, OPTIONS, TRACE, PATCH");
    }

    @ParameterizedTest
    @CsvSource({
        "'path: {type: Exact', Exact, true", "'path: {type: Exact', PathPrefix, true",
        "'path: {type: Exact', RegularExpression, true", "'path: {type: Exact', Prefix, false",
        "'headers: [{type: Exact', Exact, true", "'headers: [{type: Exact', RegularExpression, true",
        "'headers: [{type: Exact', PathPrefix, false", "'headers: [{type: Exact', exact, false",
        "'queryParams: [{type: Exact', Exact, true", "'queryParams: [{type: Exact', RegularExpression, true",
        "'queryParams: [{type: Exact', PathPrefix, false"
    })
    void each_type_of_a_match(String field, String type, boolean known) throws Exception {
        String found = ALL.replace(field, field.replace("type: Exact", "type: " + type));
        assertThat(faults(found).isEmpty()).isEqualTo(known);
    }

    @ParameterizedTest
    @CsvSource({
        "gateway.networking.k8s.io/v1, gateway.networking.k8s.io/v1beta1, true",
        "gateway.networking.k8s.io/v1, gateway.networking.k8s.io/v1alpha2, false",
        "linkerd.io/v1alpha2, linkerd.io/v1alpha1, true",
        "linkerd.io/v1alpha2, linkerd.io/v1, false",
        "gateway.networking.x-k8s.io/v1alpha1, gateway.networking.x-k8s.io/v1, false"
    })
    void each_version_of_a_kind(String version, String other, boolean known) throws Exception {
        String found = ALL.replaceFirst("apiVersion: " + version + "\n", "apiVersion: " + other + "\n");
        assertThat(found).isNotEqualTo(ALL);
        assertThat(faults(found).isEmpty()).isEqualTo(known);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spec.rules[0].retry.codes: 'codes: [500]'",
                "spec.rules[0].retry.attempts: 'attempts: 2'",
                "spec.rules[0].retry.backoff: 'backoff: 100ms'",
                "spec.rules[0].timeouts.request: 'request: 30s'",
                "spec.rules[0].timeouts.backendRequest: 'backendRequest: 10s'",
                "spec.rules[0].matches[0].method: 'method: GET'",
                "spec.rules[0].matches[0].path.type: 'path: {type: Exact'",
                "spec.hostnames: 'hostnames: [example.org]'",
                "spec.retryConstraint.budget.percent: 'percent: 10'",
                "spec.retryConstraint.budget.interval: 'percent: 10, interval: 10s'",
                "spec.retryConstraint.minRetryRate.count: 'count: 3'",
                "spec.retryBudget.retryRatio: 'retryRatio: 0.3'",
                "spec.retryBudget.ttl: 'ttl: 20s'",
                "spec.routes[0].timeout: 'timeout: 25s'",
                "spec.routes[0].isRetryable: 'isRetryable: true'",
                "metadata.namespace: 'namespace: infra\n  labels'",
                "metadata.creationTimestamp: 'creationTimestamp: \"2026-01-02T00:00:00Z\"'",
                "metadata.finalizers: 'finalizers: [f]'"
            })
    void a_null_value_counts_as_absent(String what) throws Exception {
        String present = what.substring(what.indexOf('\'') + 1, what.length() - 1);
        assertThat(ALL).contains(present);
        int colon = present.lastIndexOf(": ");
        String rest = present.contains("\n") ? present.substring(present.indexOf('\n')) : "";
        String field =
                present.contains("\n") ? present.substring(0, present.indexOf(": ")) : present.substring(0, colon);
        assertThat(faults(ALL.replaceFirst(Pattern.quote(present), Matcher.quoteReplacement(field + ": null" + rest))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        value: /a} | value: /}                   | ``
        value: /a} | value: /.a}                 | ``
        value: /a} | value: /..a/...}            | ``
        value: /a} | value: '/a%20b'}            | ``
        value: /a} | value: ''}                  | spec.rules[0].matches[0].path.value
        value: /a} | value: a}                   | spec.rules[0].matches[0].path.value
        value: /a} | value: /a//b}               | spec.rules[0].matches[0].path.value
        value: /a} | value: /./a}                | spec.rules[0].matches[0].path.value
        value: /a} | value: /a/.}                | spec.rules[0].matches[0].path.value
        value: /a} | value: /../a}               | spec.rules[0].matches[0].path.value
        value: /a} | value: /a/..}               | spec.rules[0].matches[0].path.value
        value: /a} | value: '/a%2fb'}            | spec.rules[0].matches[0].path.value
        value: /a} | value: '/a%2Fb'}            | spec.rules[0].matches[0].path.value
        value: /a} | value: '/a#b'}              | spec.rules[0].matches[0].path.value
        example.org | '*.example.org'            | ``
        example.org | a-1, b                     | ``
        example.org | LONGEST                    | ``
        example.org | LONGESTo                   | spec.hostnames[0]
        example.org | a, '*', b                  | spec.hostnames[1]
        example.org | 'a.*'                      | spec.hostnames[0]
        example.org | Example.org                | spec.hostnames[0]
        example.org | a_b                        | spec.hostnames[0]
        example.org | example.org.               | spec.hostnames[0]
        example.org | ''                         | spec.hostnames[0]
        weight: 1   | weight: 0                  | ``
        weight: 1   | weight: 1000000            | ``
        weight: 1   | weight: -1                 | spec.rules[0].backendRefs[0].weight
        weight: 1   | weight: 1000001            | spec.rules[0].backendRefs[0].weight
        port: 443\\n | port: 1\\n              | ``
        port: 443\\n | port: 65535\\n          | ``
        port: 443\\n | port: 0\\n              | spec.rules[0].backendRefs[0].port
        port: 443\\n | port: 65536\\n          | spec.rules[0].backendRefs[0].port
        port: 443,  | port: 1,                   | ``
        port: 443,  | port: 65535,               | ``
        port: 443,  | port: 0,                   | spec.parentRefs[0].port
        port: 443,  | port: 65536,               | spec.parentRefs[0].port
        name: all   | name: LONGEST              | ``
        name: all   | name: LONGESTo             | metadata.name
        name: all   | name: a.b-1                | ``
        name: all   | name: a..b                 | metadata.name
        name: all   | name: a-                   | metadata.name
        namespace: infra\\n | namespace: LABEL\\n | ``
        namespace: infra\\n | namespace: LABELl\\n | metadata.namespace
        namespace: infra\\n | namespace: a.b\\n    | metadata.namespace
        2026-01-02T00:00:00Z | 2026-01-02T01:00:00.5+01:00 | ``
        2026-01-02T00:00:00Z | 2026-01-02T00:00:00   | metadata.creationTimestamp
        codes: [500] | codes: []                 | ``
        codes: [500] | codes: [400, 599]         | ``
        codes: [500] | codes: [399]              | spec.rules[0].retry.codes
        codes: [500] | codes: [500, 500]         | spec.rules[0].retry.codes[1]
        codes: [500] | codes: [500.0]            | spec.rules[0].retry.codes[0]
        codes: [500] | codes: ['500']            | spec.rules[0].retry.codes[0]
        codes: [500] | codes: [null]             | spec.rules[0].retry.codes[0]
        codes: [500] | codes: 500                | spec.rules[0].retry.codes
        retryRatio: 0.3 | retryRatio: 0          | ``
        retryRatio: 0.3 | retryRatio: '0.3'      | spec.retryBudget.retryRatio
        timeout: 25s | timeout: 1.5ms            | spec.routes[0].timeout
        timeout: 25s | timeout: 0.0015s          | spec.routes[0].timeout
        timeout: 25s | timeout: 1ms              | ``
        min: 500, max: 599}, all | min: 100, max: 599}, all | ``
        min: 500, max: 599}, all | min: 99, max: 599}, all  | spec.routes[0].responseClasses[0].condition.status.min
        min: 500, max: 599}, all | min: 500, max: 600}, all | spec.routes[0].responseClasses[0].condition.status.max
        - name: r\\n    filters | - sessionPersistence: {}\\n    filters   | spec.rules[0].sessionPersistence
        - name: r\\n    filters | - sessionPersistence: null\\n    filters | ``
        useDefaultGateways: All | useDefaultGateways: null | ``
        """)
    void each_value_within_its_bounds_is_accepted_and_no_other(String before, String after, String place)
            throws Exception {
        String longest = ("a".repeat(63) + ".").repeat(3) + "a".repeat(61);
        String known = before.replace("\\n", "\n");
        String changed = after.replace("\\n", "\n").replace("LONGEST", longest).replace("LABEL", "l".repeat(63));
        assertThat(ALL).contains(known);
        List<String> faults = faults(ALL.replaceFirst(Pattern.quote(known), Matcher.quoteReplacement(changed)));
        if (place.isEmpty()) {
            assertThat(faults).isEmpty();
        } else {
            assertThat(faults)
                    .singleElement()
                    .asString()
                    .contains(" " + place + ": ")
                    .contains("must ");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        16 | rules: [LIST]                                | {retry: {}}          | spec.rules
        16 | rules: [{backendRefs: [LIST]}]               | {name: s}            | spec.rules[0].backendRefs
        64 | rules: [{matches: [LIST]}]                   | {method: GET}        | spec.rules[0].matches
        16 | rules: [{matches: [{headers: [LIST]}]}]      | {name: n, value: v}  | spec.rules[0].matches[0].headers
        16 | rules: [{matches: [{queryParams: [LIST]}]}]  | {name: n, value: v}  | spec.rules[0].matches[0].queryParams
        """)
    void each_list_has_a_longest_length(int most, String spec, String element, String place) throws Exception {
        String route = """
            apiVersion: gateway.networking.k8s.io/v1
            kind: HTTPRoute
            metadata: {name: r}
            spec: {%s}
            """;
        String longest = String.join(", ", Collections.nCopies(most, element));
        assertThat(faults(route.formatted(spec.replace("LIST", longest)))).isEmpty();
        assertThat(faults(route.formatted(spec.replace("LIST", longest + ", " + element))))
                .containsExactly("%s: found %d elements, must have %d at most".formatted(place, most + 1, most));
    }
}
