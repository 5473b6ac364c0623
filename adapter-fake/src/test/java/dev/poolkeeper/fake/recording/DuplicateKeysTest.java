package dev.poolkeeper.fake.recording;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.input.FaultCollector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuplicateKeysTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'offsetMillis':5,'offsetMillis':6,'type':'ADDED','object':{'kind':'Node','metadata':{'name':'n1'}}}",
                "{'offsetMillis':5,'type':'ADDED','type':'DELETED','object':{'kind':'Node','metadata':{'name':'n1'}}}",
                "{'offsetMillis':5,'type':'ADDED','object':{'kind':'Node','metadata':{'name':'n1','name':'n2'}}}",
                "{'offsetMillis':5,'type':'ADDED','object':{'kind':'Node','metadata':{'name':'n1'}},'object':{}}"
            })
    void a_key_that_a_line_has_twice_is_a_fault(String line) throws IOException {
        FaultCollector faults = new FaultCollector("recording");
        byte[] bytes = line.replace('\'', '"').getBytes(StandardCharsets.UTF_8);

        RecordedEvent unused = new WatchEventReader(faults).read(bytes, bytes.length, 7, 0);

        assertThat(faults.faults())
                .singleElement()
                .satisfies(fault -> assertThat(fault.toString())
                        .startsWith("recording: line 7: ")
                        .containsIgnoringCase("twice"));
    }
}
