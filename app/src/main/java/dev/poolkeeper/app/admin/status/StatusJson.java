package dev.poolkeeper.app.admin.status;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The status as JSON: the fields of {@link DaemonStatus} under their names, instants as RFC 3339 writes them, what is
 * not known as null.
 */
public final class StatusJson {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .addModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance))
            .build();

    private StatusJson() {}

    /** The status with the pools that were asked for, as UTF-8. */
    public static byte[] of(DaemonStatus status, StatusQuery query) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = MAPPER.createGenerator(out)) {
            json.useDefaultPrettyPrinter();
            json.writeStartObject();
            json.writePOJOField("program", status.program());
            json.writePOJOField("leadership", status.leadership());
            json.writePOJOField("resourceLock", status.resourceLock());
            json.writePOJOField("gates", status.gates());
            json.writePOJOField("budget", status.budget());
            json.writePOJOField("watches", status.watches());
            writeDirectory(json, status.directory());
            json.writePOJOField("ticks", status.ticks());
            json.writePOJOField("writing", status.writing());
            json.writePOJOField("policies", status.policies());
            json.writePOJOField("missingPermissions", status.missingPermissions());
            json.writePOJOField("isolatedLoadBalancers", status.isolatedLoadBalancers());
            writePools(json, query.of(status.pools()));
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static void writeDirectory(JsonGenerator json, DaemonStatus.Directory directory) throws IOException {
        json.writeObjectFieldStart("directory");
        json.writePOJOField("lastRefresh", directory.lastRefresh());
        json.writePOJOField("nextRefresh", directory.nextRefresh());
        json.writePOJOField("lastResync", directory.lastResync());
        json.writePOJOField("nextResync", directory.nextResync());
        json.writeStringField("error", directory.error());
        writeTexts(json, "warnings", directory.warnings());
        writeTexts(json, "servicesWithoutPool", directory.servicesWithoutPool());
        json.writeEndObject();
    }

    private static void writePools(JsonGenerator json, StatusQuery.Selection selection) throws IOException {
        json.writeNumberField("poolsInAll", selection.all());
        json.writeNumberField("poolsMatching", selection.matching());
        json.writeArrayFieldStart("pools");
        for (PoolStatus pool : selection.shown()) {
            write(json, pool);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, PoolStatus pool) throws IOException {
        json.writeStartObject();
        json.writeStringField("loadBalancer", pool.pool().loadBalancer().toString());
        json.writeStringField("pool", pool.pool().pool().toString());
        writeTexts(json, "services", pool.services());
        json.writeBooleanField("problem", pool.isProblem());
        writeAddresses(json, "wanted", pool.wanted());
        PoolStatus.Reading read = pool.lastRead();
        writeAddresses(json, "lastRead", read == null ? null : read.addresses());
        json.writePOJOField("lastReadAt", read == null ? null : read.at());
        writeAddresses(json, "toAdd", pool.toAdd());
        writeAddresses(json, "toRemove", pool.toRemove());
        json.writeNumberField("attempts", pool.attempts());
        json.writePOJOField("parked", pool.parked());
        json.writeStringField("held", pool.held());
        json.writePOJOField("lastOutcome", pool.lastOutcome());
        json.writeEndObject();
    }

    private static void writeAddresses(JsonGenerator json, String name, @Nullable AddressSet addresses)
            throws IOException {
        if (addresses == null) {
            json.writeNullField(name);
        } else {
            writeTexts(json, name, addresses.stream().map(IpAddress::toString).toList());
        }
    }

    private static void writeTexts(JsonGenerator json, String name, List<?> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (Object text : texts) {
            json.writeString(text.toString());
        }
        json.writeEndArray();
    }
}
