package dev.poolkeeper.benchmarks;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The maximum heap usage before and after garbage collections, in MB. */
final class PeakHeap {

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong live = new AtomicLong();

    private PeakHeap() {}

    static PeakHeap watch() {
        PeakHeap peak = new PeakHeap();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(
                        (notification, handback) -> {
                            if (notification.getUserData() instanceof CompositeData data) {
                                peak.collected(GarbageCollectionNotificationInfo.from(data));
                            }
                        },
                        null,
                        null);
            }
        }
        return peak;
    }

    private void collected(GarbageCollectionNotificationInfo info) {
        max(used, sum(info.getGcInfo().getMemoryUsageBeforeGc()));
        max(live, sum(info.getGcInfo().getMemoryUsageAfterGc()));
    }

    /** Only the heap's pools: other memory is not part of it. */
    private static long sum(Map<String, MemoryUsage> usage) {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(pool -> usage.get(pool.getName()))
                .filter(Objects::nonNull)
                .mapToLong(MemoryUsage::getUsed)
                .sum();
    }

    private static void max(AtomicLong peak, long bytes) {
        peak.accumulateAndGet(bytes, Math::max);
    }

    double used() {
        return used.get() / 1e6;
    }

    double live() {
        return live.get() / 1e6;
    }
}
