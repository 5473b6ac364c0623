package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.k8s.lease.LeaseStore;
import dev.poolkeeper.k8s.lease.LeaseStoreException;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.SimulatedProcess;
import dev.poolkeeper.simulation.time.Timeline;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One Lease at the API server, with optimistic concurrency. */
public final class LeaseServer {

    private static final long REQUEST_TIMEOUT = 5 * Timeline.SECONDS;

    private final String name;
    private @Nullable Lease lease;
    private long version;

    public LeaseServer(String name) {
        this.name = name;
    }

    public Optional<Lease> get() {
        return Optional.ofNullable(lease);
    }

    /** Who it names, empty for nobody. */
    public Optional<String> holder() {
        return get().map(Lease::getSpec).map(spec -> spec.getHolderIdentity()).filter(text -> !text.isBlank());
    }

    /** A write of somebody else. */
    public void write(UnaryOperator<@Nullable Lease> change) {
        Lease next = change.apply(lease);
        if (next != null) {
            store(next);
        }
    }

    private Lease store(Lease next) {
        Lease stored = next.edit()
                .editOrNewMetadata()
                .withName(name)
                .withResourceVersion(Long.toString(++version))
                .endMetadata()
                .build();
        lease = stored;
        return stored;
    }

    /** A process's way to this Lease. */
    public LeaseStore link(SimulatedProcess process, Network network, Chance chance) {
        return new Link(process, network, chance);
    }

    private final class Link implements LeaseStore {
        private final SimulatedProcess process;
        private final Network network;
        private final Chance chance;

        Link(SimulatedProcess process, Network network, Chance chance) {
            this.process = process;
            this.network = network;
            this.chance = chance;
        }

        @Override
        public Optional<Lease> get() throws LeaseStoreException {
            send();
            Optional<Lease> seen = LeaseServer.this.get();
            answer(false);
            return seen;
        }

        @Override
        public Lease create(Lease next) throws LeaseStoreException {
            send();
            if (lease != null) {
                answer(false);
                throw refused("exists");
            }
            Lease stored = store(next);
            answer(true);
            return stored;
        }

        @Override
        public Lease update(Lease next) throws LeaseStoreException {
            send();
            Lease now = lease;
            if (now == null
                    || !now.getMetadata()
                            .getResourceVersion()
                            .equals(next.getMetadata().getResourceVersion())) {
                answer(false);
                throw refused("changed");
            }
            Lease stored = store(next);
            answer(true);
            return stored;
        }

        private void send() throws LeaseStoreException {
            sleep(network.requestNanos(chance));
            if (network.isCut()) {
                sleep(REQUEST_TIMEOUT);
                throw new LeaseStoreException("no answer", false, new IOException("cut off"));
            }
        }

        private void answer(boolean written) throws LeaseStoreException {
            if (network.isCut() || written && network.losesAnswer(chance)) {
                sleep(REQUEST_TIMEOUT);
                throw new LeaseStoreException("no answer", false, new IOException("answer lost"));
            }
            sleep(network.requestNanos(chance));
        }

        private void sleep(long nanos) throws LeaseStoreException {
            if (!process.sleep(nanos)) {
                throw new LeaseStoreException("interrupted", false, new IOException("interrupted"));
            }
        }

        private LeaseStoreException refused(String why) {
            return new LeaseStoreException(why, true, new IOException("409"));
        }
    }
}
