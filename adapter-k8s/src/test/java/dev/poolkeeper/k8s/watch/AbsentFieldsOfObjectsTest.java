package dev.poolkeeper.k8s.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of an object that is kept, left out, as null and empty; lists and maps with null in them. */
class AbsentFieldsOfObjectsTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final String SERVICE = """
        {"metadata": {"namespace": "shop", "name": "web", "creationTimestamp": "2026-01-02T03:04:05Z",
          "annotations": {"poolkeeper.dev/paused": "true"}},
         "spec": {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "loadBalancerClass": "",
          "ipFamilies": ["IPv4"], "selector": {"app": "web"}}}\
        """;
    private static final String SLICE = """
        {"metadata": {"namespace": "shop", "name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
         "addressType": "IPv4",
         "endpoints": [
          {"nodeName": "n1", "addresses": ["10.1.0.1"], "conditions": {"ready": true},
           "targetRef": {"kind": "Pod", "uid": "u1"}}]}\
        """;
    private static final String NODE = """
        {"metadata": {"name": "n1", "labels": {"kubernetes.azure.com/managed": "false"}},
         "status": {"addresses": [{"type": "InternalIP", "address": "10.0.0.4"}]}}\
        """;
    private static final String POD = """
        {"metadata": {"namespace": "shop", "name": "web-1", "uid": "u1", "resourceVersion": "7",
          "labels": {"app": "web"}, "deletionTimestamp": "2026-01-02T03:04:05Z"},
         "spec": {"nodeName": "n1", "readinessGates": [{"conditionType": "poolkeeper.dev/load-balancer-ready"}]},
         "status": {"phase": "Running", "podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}, {"ip": "fd00::1"}],
          "conditions": [{"type": "poolkeeper.dev/load-balancer-ready", "status": "False",
           "reason": "WaitingForPool", "message": "m", "lastTransitionTime": "2026-01-02T03:04:05Z"}]}}\
        """;

    private final Reduction reduction = new Reduction(namespace -> true);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /metadata/annotations         | {}   | paused=false, annotationsFingerprint=0, | paused=false, annotationsFingerprint=0,
        /metadata/annotations/poolkeeper.dev~1paused | "" | paused=false,              | paused=false,
        /metadata/creationTimestamp   | ""   | createdAt=null,                         | createdAt=null,
        /spec                         | {}   | type=null,                              | type=null,
        /spec/type                    | ""   | type=null,                              | type=,
        /spec/externalTrafficPolicy   | ""   | externalTrafficPolicy=null,             | externalTrafficPolicy=,
        /spec/ipFamilies              | []   | ipFamilies=[],                          | ipFamilies=[],
        /spec/ipFamilies              | [null] | ipFamilies=[],                        | ipFamilies=[],
        /spec/selector                | {}   | selector={}]                            | selector={}]
        """)
    void of_a_service(String field, String empty, String absent, String ifEmpty) throws Exception {
        for (String value : new String[] {null, "null"}) {
            assertThat(service(changed(SERVICE, field, value))).contains(absent);
        }
        assertThat(service(changed(SERVICE, field, empty))).contains(ifEmpty);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "absent",
            value = {"absent,true", "null,true", "'\"\"',true", "'\"x\"',false"})
    void a_service_with_no_load_balancer_class_is_local(String value, boolean local) throws Exception {
        assertThat(reduction
                        .service(read(Service.class, changed(SERVICE, "/spec/loadBalancerClass", value)))
                        .isLocal())
                .isEqualTo(local);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /metadata/labels                    | {}     | service=null,
        /metadata/labels/kubernetes.io~1service-name | "" | service=null,
        /metadata/labels/kubernetes.io~1service-name | " " | service=null,
        /addressType                        | ""     | addressType=,
        /endpoints                          | []     | nodeNames=[], podUids=[]
        /endpoints                          | [null] | nodeNames=[], podUids=[]
        /endpoints                          | [{}]   | nodeNames=[], podUids=[]
        /endpoints/0/nodeName               | ""     | nodeNames=[], podUids=[u1]
        /endpoints/0/nodeName               | " "    | nodeNames=[], podUids=[u1]
        /endpoints/0/addresses              | []     | nodeNames=[n1], podUids=[u1]
        /endpoints/0/conditions             | {}     | nodeNames=[n1], podUids=[u1]
        /endpoints/0/conditions/ready       | false  | nodeNames=[n1], podUids=[u1]
        /endpoints/0/targetRef              | {}     | nodeNames=[n1], podUids=[]
        /endpoints/0/targetRef/kind         | ""     | nodeNames=[n1], podUids=[]
        /endpoints/0/targetRef/uid          | ""     | nodeNames=[n1], podUids=[]
        """)
    void of_an_endpoint_slice(String field, String empty, String kept) throws Exception {
        for (String value : new String[] {null, "null", empty}) {
            assertThat(reduction
                            .slice(read(EndpointSlice.class, changed(SLICE, field, value)))
                            .toString())
                    .contains(kept);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /metadata/labels             | {}     | labels={}, internalIps=[10.0.0.4]
        /status                      | {}     | internalIps=[]
        /status/addresses            | []     | internalIps=[]
        /status/addresses            | [null] | internalIps=[]
        /status/addresses            | [{}]   | internalIps=[]
        /status/addresses/0/type     | ""     | internalIps=[]
        /status/addresses/0/address  | ""     | internalIps=[]
        """)
    void of_a_node(String field, String empty, String kept) throws Exception {
        for (String value : new String[] {null, "null", empty}) {
            assertThat(reduction
                            .node(read(Node.class, changed(NODE, field, value)))
                            .toString())
                    .contains(kept);
        }
    }

    @ParameterizedTest
    @CsvSource(nullValues = "absent", delimiter = '|', textBlock = """
        absent | {}
        null   | {kubernetes.azure.com/managed=}
        ""     | {kubernetes.azure.com/managed=}
        """)
    void a_label_of_a_node_whose_value_is_null_is_empty(String value, String labels) throws Exception {
        Node node = read(Node.class, changed(NODE, "/metadata/labels/kubernetes.azure.com~1managed", value));
        assertThat(reduction.node(node).labels()).hasToString(labels);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /metadata/uid                | ""     | id=shop/web-1
        /metadata/resourceVersion    | ""     | version=]
        /metadata/labels             | {}     | labels={}
        /spec                        | {}     | gated=false, ending=true, node=Optional.empty
        /spec/nodeName               | ""     | node=Optional.empty
        /spec/nodeName               | " "    | node=Optional.empty
        /spec/readinessGates         | []     | gated=false
        /spec/readinessGates         | [null] | gated=false
        /spec/readinessGates         | [{}]   | gated=false
        /spec/readinessGates/0/conditionType | "" | gated=false
        /status                      | {}     | ending=true, node=Optional[n1], ips=[], condition=Optional.empty
        /status/phase                | ""     | ips=[10.1.0.1, fd00::1]
        /status/podIP                | ""     | ips=[10.1.0.1, fd00::1]
        /status/podIPs               | []     | ips=[10.1.0.1]
        /status/podIPs               | [null] | ips=[10.1.0.1]
        /status/podIPs               | [{}]   | ips=[10.1.0.1]
        /status/podIPs/0/ip          | ""     | ips=[fd00::1]
        /status/conditions           | []     | condition=Optional.empty
        /status/conditions           | [null] | condition=Optional.empty
        /status/conditions           | [{}]   | condition=Optional.empty
        /status/conditions/0/type    | ""     | condition=Optional.empty
        /status/conditions/0/status  | ""     | condition=Optional.empty
        /status/conditions/0/reason  | ""     | reason=,
        /status/conditions/0/message | ""     | message=,
        /status/conditions/0/lastTransitionTime | "" | condition=Optional.empty
        """)
    void of_a_pod(String field, String empty, String kept) throws Exception {
        for (String value : new String[] {null, "null", empty}) {
            assertThat(reduction
                            .pod(read(Pod.class, changed(POD, field, value)))
                            .toString())
                    .contains(kept);
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "absent",
            value = {"absent,false", "null,false", "'\"2026-01-02T03:04:05Z\"',true"})
    void a_pod_without_a_time_of_deletion_is_not_ending(String value, boolean ending) throws Exception {
        Pod pod = read(Pod.class, changed(POD, "/metadata/deletionTimestamp", value));
        assertThat(reduction.pod(pod).ending()).isEqualTo(ending);
    }

    @ParameterizedTest
    @CsvSource({"Succeeded,true", "Failed,true", "Running,false", "Pending,false", "Unknown,false", "succeeded,false"})
    void a_pod_is_ending_in_its_last_phases(String phase, boolean ending) throws Exception {
        String alive = changed(POD, "/metadata/deletionTimestamp", null);
        Pod pod = read(Pod.class, changed(alive, "/status/phase", "\"" + phase + "\""));
        assertThat(reduction.pod(pod).ending()).isEqualTo(ending);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "True"    | "2026-01-02T03:04:05Z" | met=true
        "True"    | null                   | met=true
        "True"    | "yesterday"            | met=true
        "False"   | "2026-01-02T03:04:05Z" | met=false
        "False"   | null                   | condition=Optional.empty
        "False"   | "yesterday"            | condition=Optional.empty
        "Unknown" | "2026-01-02T03:04:05Z" | condition=Optional.empty
        "true"    | "2026-01-02T03:04:05Z" | condition=Optional.empty
        null      | "2026-01-02T03:04:05Z" | condition=Optional.empty
        """)
    void each_status_of_the_condition(String status, String since, String kept) throws Exception {
        String condition = "/status/conditions/0/";
        String pod = changed(changed(POD, condition + "status", status), condition + "lastTransitionTime", since);
        assertThat(reduction.pod(read(Pod.class, pod)).toString()).contains(kept);
    }

    private String service(String json) throws Exception {
        return reduction.service(read(Service.class, json)).toString();
    }

    private static <T> T read(Class<T> kind, String json) throws JsonProcessingException {
        return JSON.readValue(json, kind);
    }

    /** The object with this value at a place; null to remove it. */
    private static String changed(String object, String place, String value) throws JsonProcessingException {
        JsonNode tree = JSON.readTree(object);
        int slash = place.lastIndexOf('/');
        JsonNode parent = tree.at(place.substring(0, slash));
        String field = place.substring(slash + 1).replace("~1", "/");
        assertThat(parent instanceof ArrayNode).isFalse();
        assertThat(parent.has(field)).as(place).isTrue();
        if (value == null) {
            ((ObjectNode) parent).remove(List.of(field));
        } else {
            ((ObjectNode) parent).set(field, JSON.readTree(value));
        }
        return tree.toString();
    }
}
