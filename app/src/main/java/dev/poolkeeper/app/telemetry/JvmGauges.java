package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** Memory, threads and garbage collection of this process. */
public final class JvmGauges {

    private JvmGauges() {}

    /** Registers them; once. */
    public static void register(Meter meter) {
        Instruments instruments = new Instruments(meter);
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        instruments.observe(Metric.JVM_MEMORY_USED, value -> {
            value.is(memory.getHeapMemoryUsage().getUsed(), labels(Metric.JVM_MEMORY_USED, "heap"));
            value.is(memory.getNonHeapMemoryUsage().getUsed(), labels(Metric.JVM_MEMORY_USED, "non_heap"));
        });
        instruments.observe(
                Metric.JVM_MEMORY_LIMIT,
                value -> value.is(memory.getHeapMemoryUsage().getMax(), labels(Metric.JVM_MEMORY_LIMIT, "heap")));
        instruments.observe(
                Metric.JVM_THREADS,
                value -> value.is(ManagementFactory.getThreadMXBean().getThreadCount(), Attributes.empty()));
        instruments.observe(Metric.JVM_GC, value -> value.is(collectionMillis() / 1e3, Attributes.empty()));
    }

    private static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                .sum();
    }
}
