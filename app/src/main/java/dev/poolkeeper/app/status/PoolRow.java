package dev.poolkeeper.app.status;

import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;
import java.util.stream.Collectors;

/** A row of the table of the pools. */
record PoolRow(
        String services,
        String loadBalancer,
        String pool,
        String state,
        boolean bad,
        Addresses wanted,
        Addresses seen,
        String seenAt,
        Addresses missing,
        Addresses surplus,
        String lastCall,
        boolean callFailed) {

    /** At most this many addresses are shown, and the rest counted; the JSON has them all. */
    static final int ADDRESSES_SHOWN = 50;

    /**
     * A count that expands to the addresses.
     *
     * @param count the number of addresses
     * @param list the first of them; empty for none
     */
    record Addresses(int count, String list) {

        static Addresses of(AddressSet addresses) {
            String list = addresses.stream()
                    .limit(ADDRESSES_SHOWN)
                    .map(IpAddress::toString)
                    .collect(Collectors.joining(", "));
            int more = addresses.size() - ADDRESSES_SHOWN;
            return new Addresses(addresses.size(), more > 0 ? list + " and " + more + " more" : list);
        }
    }

    static PoolRow of(PoolStatus pool, Times times) {
        Optional<KnownPool> known = pool.known();
        Optional<KnownPool.LastCall> call = known.map(KnownPool::lastCall);
        return new PoolRow(
                pool.services().stream().map(ServiceName::toString).collect(Collectors.joining(", ")),
                pool.pool().loadBalancer().toString(),
                pool.pool().pool().toString(),
                PoolSummary.state(pool),
                !pool.isInStep(),
                Addresses.of(pool.wanted()),
                Addresses.of(known.map(KnownPool::addresses).orElse(AddressSet.empty())),
                times.of(known.map(KnownPool::at), "never"),
                Addresses.of(pool.missing()),
                Addresses.of(pool.surplus()),
                call.map(last -> words(last, times)).orElse("none yet"),
                call.flatMap(KnownPool.LastCall::failure).isPresent());
    }

    private static String words(KnownPool.LastCall call, Times times) {
        return (call.write() ? "write" : "read")
                + (call.failure().isPresent() ? " failed " : " succeeded ")
                + times.of(call.at())
                + call.failure().map(failure -> ": " + failure.describe()).orElse("");
    }
}
