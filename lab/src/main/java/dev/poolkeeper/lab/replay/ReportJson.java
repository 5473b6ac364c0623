package dev.poolkeeper.lab.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.config.Keys;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.input.JsonEscapes;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** The report of a replay as JSON; its fields are a stable contract ({@code docs/replay.md}). */
public final class ReportJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .build();

    private ReportJson() {}

    private record Report(
            String model,
            List<PoolRow> pools,
            List<EventRow> events,
            List<CallRow> calls,
            MetricsRow metrics,
            FreshnessRow freshness) {}

    private record PoolRow(
            String loadBalancer,
            String pool,
            List<String> services,
            List<String> desired,
            List<String> actual,
            boolean converged) {}

    private record EventRow(long atMillis, String service, String type, String reason, String message) {}

    private record CallRow(long atMillis, String method, String loadBalancer, String pool, int status) {}

    private record MetricsRow(long succeeded, long failed, long retried) {}

    private record FreshnessRow(
            long changes,
            long p50Millis,
            long p90Millis,
            long p99Millis,
            long maxMillis,
            long outageMillis,
            long missingAddressMillis,
            long staleAddressMillis,
            long reads,
            long writes) {}

    /** Writes the report followed by a line feed; does not close the writer. */
    public static void write(ReplayResult result, Writer out) throws IOException {
        MAPPER.writer(new JsonEscapes()).writeValue(out, report(result));
        out.write('\n');
        out.flush();
    }

    private static Report report(ReplayResult result) {
        return new Report(
                Keys.MODELS.shown(result.model()),
                result.pools().stream().map(ReportJson::row).toList(),
                result.events().stream().map(ReportJson::row).toList(),
                result.calls().stream().map(ReportJson::row).toList(),
                new MetricsRow(
                        result.metrics().succeeded(),
                        result.metrics().failed(),
                        result.metrics().retried()),
                row(result.freshness()));
    }

    private static FreshnessRow row(FreshnessResult freshness) {
        return new FreshnessRow(
                freshness.changes(),
                freshness.p50().toMillis(),
                freshness.p90().toMillis(),
                freshness.p99().toMillis(),
                freshness.max().toMillis(),
                freshness.outage().toMillis(),
                freshness.missingAddressTime().toMillis(),
                freshness.staleAddressTime().toMillis(),
                freshness.reads(),
                freshness.writes());
    }

    private static PoolRow row(PoolResult pool) {
        return new PoolRow(
                pool.key().loadBalancer().toString(),
                pool.key().pool().toString(),
                pool.services(),
                pool.desired(),
                pool.actual(),
                pool.converged());
    }

    private static EventRow row(Emitted emitted) {
        return new EventRow(
                VirtualTime.millis(emitted.at()),
                emitted.event().service().toString(),
                emitted.event().reason().type(),
                emitted.event().reason().toString(),
                emitted.event().message());
    }

    private static CallRow row(Call call) {
        return new CallRow(
                VirtualTime.millis(call.at()),
                call.method(),
                call.pool().loadBalancer().toString(),
                call.pool().pool().toString(),
                call.status());
    }
}
