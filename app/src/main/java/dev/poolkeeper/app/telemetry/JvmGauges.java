package dev.poolkeeper.app.telemetry;

import static dev.poolkeeper.app.telemetry.Instruments.labels;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.util.EnumSet;

/** Memory, threads and garbage collection of this process. */
public final class JvmGauges {

    private JvmGauges() {}

    /** Registers them; call it once. */
    public static void register(Meter meter) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        new Instruments(meter)
                .observe(
                        EnumSet.of(Metric.JVM_MEMORY_USED, Metric.JVM_MEMORY_LIMIT, Metric.JVM_THREADS, Metric.JVM_GC),
                        readings -> record(memory, readings));
    }

    private static void record(MemoryMXBean memory, Instruments.Readings readings) {
        MemoryUsage heap = memory.getHeapMemoryUsage();
        readings.set(Metric.JVM_MEMORY_USED, heap.getUsed(), labels(Metric.JVM_MEMORY_USED, "heap"));
        readings.set(
                Metric.JVM_MEMORY_USED,
                memory.getNonHeapMemoryUsage().getUsed(),
                labels(Metric.JVM_MEMORY_USED, "non_heap"));
        readings.set(Metric.JVM_MEMORY_LIMIT, heap.getMax(), labels(Metric.JVM_MEMORY_LIMIT, "heap"));
        readings.set(Metric.JVM_THREADS, ManagementFactory.getThreadMXBean().getThreadCount(), Attributes.empty());
        readings.set(Metric.JVM_GC, collectionMillis() / 1e3, Attributes.empty());
    }

    private static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
                .sum();
    }
}
