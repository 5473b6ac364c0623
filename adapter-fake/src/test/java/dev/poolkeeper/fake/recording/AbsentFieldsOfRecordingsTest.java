package dev.poolkeeper.fake.recording;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.FaultCollector;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a recorded event that is read, left out, as null and empty. */
class AbsentFieldsOfRecordingsTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SERVICE = """
        {"offsetMillis": 5, "type": "ADDED", "object": {"apiVersion": "v1", "kind": "Service",
         "metadata": {"namespace": "shop", "name": "web", "creationTimestamp": "2026-01-02T03:04:05Z",
          "annotations": {"poolkeeper.dev/paused": "true"}},
         "spec": {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "loadBalancerClass": "x",
          "ipFamilies": ["IPv4"]}}}\
        """;
    private static final String SLICE = """
        {"offsetMillis": 5, "type": "ADDED",
         "object": {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice",
         "metadata": {"namespace": "shop", "name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
         "addressType": "IPv4",
         "endpoints": [{"nodeName": "n1", "addresses": ["10.1.0.1"], "conditions": {"ready": true}}]}}\
        """;
    private static final String NODE = """
        {"offsetMillis": 5, "type": "ADDED", "object": {"apiVersion": "v1", "kind": "Node",
         "metadata": {"name": "n1", "labels": {"kubernetes.azure.com/managed": "false"}},
         "status": {"addresses": [{"type": "InternalIP", "address": "10.0.0.4"}]}}}\
        """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /offsetMillis                        | 0    | offsetMillis: is missing   | @0
        /type                                | ""   | type: is missing           | type: is blank
        /object                              | {}   | object: is missing         | object.kind: is missing
        /object/apiVersion                   | "v1" | name=shop/web              | name=shop/web
        /object/kind                         | ""   | object.kind: is missing    | object.kind: is blank
        /object/metadata                     | {}   | metadata.name: is missing  | metadata.name: is missing
        /object/metadata/namespace           | ""   | name=default/web           | name=default/web
        /object/metadata/name                | ""   | metadata.name: is missing  | metadata.name: is blank
        /object/metadata/creationTimestamp   | ""   | createdAt=null             | createdAt=null
        /object/metadata/annotations         | {}   | paused=false, annotationsFingerprint=0, | paused=false, annotationsFingerprint=0,
        /object/metadata/annotations/poolkeeper.dev~1paused | "" | paused=false | paused=false
        /object/spec                         | {}   | type=null                  | type=null
        /object/spec/type                    | ""   | type=null                  | type=,
        /object/spec/externalTrafficPolicy   | ""   | externalTrafficPolicy=null | externalTrafficPolicy=,
        /object/spec/loadBalancerClass       | ""   | loadBalancerClass=null     | loadBalancerClass=,
        /object/spec/ipFamilies              | []   | ipFamilies=[]              | ipFamilies=[]
        """)
    void of_a_service(String field, String empty, String ifAbsent, String ifEmpty) throws Exception {
        assertReads(SERVICE, field, empty, ifAbsent, ifEmpty);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /object/metadata/labels              | {}   | service=null,            | service=null,
        /object/metadata/labels/kubernetes.io~1service-name | "" | service=null, | service=null,
        /object/metadata/labels/kubernetes.io~1service-name | " " | service=null, | service=null,
        /object/addressType                  | ""   | addressType: is missing  | addressType: is blank
        /object/endpoints                    | []   | nodeNames=[],            | nodeNames=[],
        /object/endpoints                    | [{}] | nodeNames=[],            | nodeNames=[],
        /object/endpoints/0/nodeName         | ""   | nodeNames=[],            | nodeNames=[],
        /object/endpoints/0/nodeName         | " "  | nodeNames=[],            | nodeNames=[],
        /object/endpoints/0/addresses        | []   | nodeNames=[n1],          | nodeNames=[n1],
        /object/endpoints/0/conditions       | {}   | nodeNames=[n1],          | nodeNames=[n1],
        /object/endpoints/0/conditions/ready | false | nodeNames=[n1],         | nodeNames=[n1],
        """)
    void of_an_endpoint_slice(String field, String empty, String ifAbsent, String ifEmpty) throws Exception {
        assertReads(SLICE, field, empty, ifAbsent, ifEmpty);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /object/metadata/labels            | {}   | labels={}           | labels={}
        /object/metadata/labels/kubernetes.azure.com~1managed | "" | labels={} | labels={kubernetes.azure.com/managed=}
        /object/status                     | {}   | internalIps=[]      | internalIps=[]
        /object/status/addresses           | []   | internalIps=[]      | internalIps=[]
        /object/status/addresses           | [{}] | internalIps=[]      | internalIps=[]
        /object/status/addresses/0/type    | ""   | internalIps=[]      | internalIps=[]
        /object/status/addresses/0/address | ""   | internalIps=[]      | internalIps=[]
        """)
    void of_a_node(String field, String empty, String ifAbsent, String ifEmpty) throws Exception {
        assertReads(NODE, field, empty, ifAbsent, ifEmpty);
    }

    private static void assertReads(String event, String field, String empty, String ifAbsent, String ifEmpty)
            throws Exception {
        assertThat(read(changed(event, field, null))).as("absent").contains(ifAbsent);
        assertThat(read(changed(event, field, "null"))).as("null").contains(ifAbsent);
        assertThat(read(changed(event, field, empty))).as("empty").contains(ifEmpty);
    }

    /** What is reported of the event, or its faults. */
    private static String read(String event) throws Exception {
        byte[] line = event.getBytes(StandardCharsets.UTF_8);
        FaultCollector faults = new FaultCollector("recording");
        RecordedEvent read = new WatchEventReader(faults).read(line, line.length, 1, 0);
        try {
            faults.throwIfAny();
        } catch (BadInputException e) {
            return e.getMessage();
        }
        Report report = new Report();
        read.change().report(report);
        return "@" + read.offsetMillis() + " " + report.text;
    }

    /** What is reported, as text. */
    private static final class Report implements ClusterListener {
        private String text = "nothing";

        @Override
        public void serviceChanged(ServiceState service) {
            text = service.toString();
        }

        @Override
        public void serviceDeleted(ServiceName service) {
            text = "deleted " + service;
        }

        @Override
        public void sliceChanged(EndpointSliceState slice) {
            text = slice.toString();
        }

        @Override
        public void sliceDeleted(EndpointSliceState slice) {
            text = "deleted " + slice;
        }

        @Override
        public void nodeChanged(NodeState node) {
            text = node.toString();
        }

        @Override
        public void nodeDeleted(String node) {
            text = "deleted " + node;
        }
    }

    /** The event with this value at a place; null to remove it. */
    private static String changed(String event, String place, String value) throws Exception {
        JsonNode tree = JSON.readTree(event);
        int slash = place.lastIndexOf('/');
        JsonNode parent = tree.at(place.substring(0, slash));
        String field = place.substring(slash + 1).replace("~1", "/");
        assertThat(parent.has(field)).as(place).isTrue();
        if (value == null) {
            ((ObjectNode) parent).remove(field);
        } else {
            ((ObjectNode) parent).set(field, JSON.readTree(value));
        }
        return tree.toString();
    }
}
