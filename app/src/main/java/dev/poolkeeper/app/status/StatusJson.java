package dev.poolkeeper.app.status;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonEscapes;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.retry.RetrySettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The status as JSON: {@link DaemonStatus} with the selected pools. Names, addresses and instants are strings,
 * durations are seconds; unknown values are null.
 */
public final class StatusJson {

    private static final ObjectWriter WRITER = JsonMapper.builder()
            .addModule(texts(
                            Instant.class,
                            Path.class,
                            ArmName.class,
                            ServiceName.class,
                            IpAddress.class,
                            RetrySettings.class,
                            InputFault.class)
                    .addSerializer(Optional.class, new Instead<Object>(value -> ((Optional<?>) value).orElse(null)))
                    .addSerializer(
                            OptionalLong.class,
                            new Instead<OptionalLong>(value -> value.isPresent() ? value.getAsLong() : null))
                    .addSerializer(
                            AddressSet.class,
                            new Instead<AddressSet>(set -> set.stream().toList()))
                    .addSerializer(Duration.class, new Instead<Duration>(duration -> duration.toMillis() / 1_000.0))
                    .addSerializer(Failure.class, new Instead<>(Failure::describe))
                    .addSerializer(Loss.class, new Instead<>(HoldTexts::text))
                    .addSerializer(Difference.class, new Instead<>(Wait::of)))
            .addMixIn(EngineStatus.class, WithoutPools.class)
            .addMixIn(BrakedRemoval.class, LossInWords.class)
            .addMixIn(PoolStatus.class, FlatPool.class)
            .addMixIn(LiveSettings.class, WithRetries.class)
            .addMixIn(NodeAnswer.class, FlatNode.class)
            .addMixIn(KnownPool.class, Known.class)
            .build()
            .writerWithDefaultPrettyPrinter()
            .with(new JsonEscapes());

    private StatusJson() {}

    /** A difference in words. */
    private record Wait(
            Difference.Reason reason, Optional<Instant> since, Optional<Instant> until, String text, String remedy) {

        static Wait of(Difference one) {
            return new Wait(one.reason(), one.since(), one.until(), one.text(), one.remedy());
        }
    }

    private record Document(
            @JsonUnwrapped DaemonStatus status,
            String summary,
            List<Problem> problems,
            int poolsInAll,
            int poolsMatching,
            List<PoolStatus> pools,
            List<NodeAnswer> nodes) {}

    /** Renders an answer as UTF-8. */
    public static byte[] of(StatusAnswer answer) throws IOException {
        StatusQuery.Selection pools = answer.pools();
        return WRITER.writeValueAsBytes(new Document(
                answer.status(),
                answer.summary(),
                answer.problems(),
                pools.all(),
                pools.matching(),
                pools.shown(),
                answer.nodes()));
    }

    private static SimpleModule texts(Class<?>... types) {
        SimpleModule module = new SimpleModule();
        for (Class<?> type : types) {
            module.addSerializer(type, ToStringSerializer.instance);
        }
        return module;
    }

    @JsonIgnoreProperties("pools")
    private interface WithoutPools {}

    private interface LossInWords {
        @JsonProperty("text")
        Loss loss();
    }

    /** Adds derived fields, so that scripts need not compare sets. */
    private interface FlatPool {
        @JsonProperty
        @JsonUnwrapped
        PoolKey pool();

        @JsonProperty("inStep")
        boolean isInStep();

        @JsonProperty("outage")
        boolean isOutage();

        @JsonProperty
        AddressSet missing();

        @JsonProperty
        AddressSet surplus();
    }

    /** Shows the resulting settings instead of their sources. */
    @JsonIgnoreProperties("sources")
    private interface WithRetries {
        @JsonProperty
        RetrySettings retries();
    }

    private interface FlatNode {
        @JsonProperty
        @JsonUnwrapped
        PoolKey pool();
    }

    @JsonIgnoreProperties({"pool", "landed", "listedAnyway"})
    private interface Known {}

    /** Serializes a replacement value. */
    private static final class Instead<T> extends JsonSerializer<T> {

        private final Function<T, @Nullable Object> other;

        Instead(Function<T, @Nullable Object> other) {
            this.other = other;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(other.apply(value), json);
        }
    }
}
