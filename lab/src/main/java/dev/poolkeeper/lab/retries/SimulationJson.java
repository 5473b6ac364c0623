package dev.poolkeeper.lab.retries;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.input.JsonEscapes;
import java.util.LinkedHashMap;
import java.util.Map;

/** A simulation as JSON. */
public final class SimulationJson {

    private static final ObjectWriter WRITER =
            JsonMapper.builder().build().writerWithDefaultPrettyPrinter().with(new JsonEscapes());

    private SimulationJson() {}

    public static String of(RetrySimulation simulation) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("scenario", simulation.scenario().name());
        fields.put("seed", simulation.seed());
        fields.put("policies", simulation.results());
        if (!simulation.spreads().isEmpty()) {
            fields.put("seeds", simulation.scenario().seeds());
            fields.put("spreads", simulation.spreads());
        }
        try {
            return WRITER.writeValueAsString(fields);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A result cannot be written", e);
        }
    }
}
