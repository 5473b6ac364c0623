package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmEndpoint;
import dev.poolkeeper.azure.http.ArmExchange;
import dev.poolkeeper.azure.http.ArmPages;
import dev.poolkeeper.azure.http.ArmRequest;
import dev.poolkeeper.azure.http.Deadline;
import dev.poolkeeper.azure.http.FailureMapping;
import dev.poolkeeper.azure.http.InvalidAnswerException;
import dev.poolkeeper.azure.http.Redaction;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Reads, writes and lists the pools of one resource group's load balancers. Thread-safe. */
public final class LoadBalancerPools {

    private static final String NO_ETAG = "it has no ETag, so a write could undo another writer's: check the"
            + " proxies between this daemon and Azure Resource Manager";

    private static final String LIST = "the list of load balancers";

    private final ArmExchange exchange;
    private final PoolRequests requests;
    private final ArmPages pages;
    private final ClusterLoadBalancers ours;
    private final PollSettings polls;
    private final PoolBody body;
    private final InstantSource clock;
    private final VirtualNetworks networks;
    private final PrivateLinkRefusals refusals = new PrivateLinkRefusals();
    private final LastListing last = new LastListing();
    private final UnreadableLog unreadableLog = new UnreadableLog();

    /**
     * @param group the id of the load balancers' resource group
     * @param apiVersion the version of {@code Microsoft.Network}
     * @param selection selects this cluster's load balancers
     * @param vnetId the virtual network to set on pools without one; empty for that of their load balancer's pools
     * @param nodeNames finds the node of an address, after which new entries are named
     */
    public LoadBalancerPools(
            ArmExchange exchange,
            ArmEndpoint endpoint,
            String group,
            String apiVersion,
            LoadBalancerSelection selection,
            PollSettings polls,
            Optional<String> vnetId,
            Function<IpAddress, Optional<String>> nodeNames,
            InstantSource clock) {
        this.exchange = exchange;
        this.requests = new PoolRequests(endpoint, group, apiVersion);
        this.pages = new ArmPages(endpoint, exchange);
        this.ours = new ClusterLoadBalancers(selection);
        this.polls = polls;
        this.body = new PoolBody(nodeNames);
        this.networks = new VirtualNetworks(vnetId);
        this.clock = clock;
    }

    /** Reads the pool. Refused while writes are refused, because the following write could not be sent. */
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        Optional<Failure> notOurs = ours.refusal(pool.loadBalancer());
        if (notOurs.isPresent()) {
            return Reply.failed(notOurs.get());
        }
        ArmRequest request = requests.read(pool, deadline(), context);
        Optional<Instant> shutUntil = exchange.writesShutUntil(pool.loadBalancer());
        if (shutUntil.isPresent()) {
            return exchange.refuse(request, shutUntil.get());
        }
        return switch (exchange.send(request)) {
            case Reply.Failed<ArmAnswer>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<ArmAnswer>(ArmAnswer answer) -> {
                try {
                    yield Reply.ok(last.saw(PoolReader.read(pool, answer)));
                } catch (InvalidAnswerException e) {
                    yield Reply.failed(FailureMapping.ofInvalid("pool " + pool, answer, e));
                }
            }
        };
    }

    /** Writes these addresses to a pool. Returns the pool as ARM shows it afterwards. */
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        PoolKey pool = read.key();
        Optional<Failure> notOurs = ours.refusal(pool.loadBalancer());
        if (notOurs.isPresent()) {
            return Reply.failed(notOurs.get());
        }
        if (!(read.source() instanceof Map<?, ?> source)) {
            return Reply.failed(
                    Failure.Other.terminal("pool " + pool + " was not read by this adapter, so it cannot be written"));
        }
        String etag = read.etag();
        if (read.unwritable().isPresent()) {
            return Reply.failed(read.unwritable().get().refusal(pool));
        }
        if (etag == null) {
            return Reply.failed(Failure.Other.terminal("pool %s is never written: %s".formatted(pool, NO_ETAG)));
        }
        Optional<Failure> known = refusals.find(pool, etag);
        if (known.isPresent()) {
            return Reply.failed(known.get());
        }
        byte[] update;
        try {
            update = body.of(source, addresses, networks.of(pool.loadBalancer()));
        } catch (RuntimeException e) { // thrown by the embedder's lookup of node names
            return Reply.failed(Failure.Other.terminal(
                    "could not build the body for pool " + pool + ": " + Redaction.of(e.toString())));
        }
        WriteFailures failures = new WriteFailures(refusals, pool, etag);
        Reply<BackendPool> reply = new WriteOperation(
                        exchange, requests, clock, polls, failures, pool, deadline(), context)
                .run(new ArmRequest.Update(etag, update));
        if (reply instanceof Reply.Ok<BackendPool>(BackendPool written)) {
            last.saw(written);
        }
        return lacksNetwork(source, pool) ? withRemedy(reply) : reply;
    }

    private boolean lacksNetwork(Map<?, ?> source, PoolKey pool) {
        return networks.of(pool.loadBalancer()).isEmpty()
                && source.get("properties") instanceof Map<?, ?> properties
                && VirtualNetworks.in(properties).isEmpty();
    }

    /** ARM's refusal does not always name what is missing. */
    private static Reply<BackendPool> withRemedy(Reply<BackendPool> reply) {
        return switch (reply) {
            case Reply.Failed<BackendPool>(Failure.HttpError(int status, ArmError error, var ended))
            when status == 400 ->
                Reply.failed(new Failure.HttpError(
                        status,
                        new ArmError(
                                status,
                                error.code(),
                                (error.message() == null ? "" : error.message() + " ") + "(" + VirtualNetworks.REMEDY
                                        + ")",
                                error.correlationId()),
                        ended));
            case Reply.Failed<BackendPool>(Failure.Other(String reason, boolean retriable))
            when !retriable -> Reply.failed(Failure.Other.terminal(reason + " (" + VirtualNetworks.REMEDY + ")"));
            default -> reply;
        };
    }

    /**
     * Lists all pools of this cluster's load balancers, page by page. The pools cannot be written. What cannot be read
     * affects nothing else: it stays as last listed, is left out if it never was, and is logged. A listing in which
     * nothing can be read is a failure.
     */
    public Reply<List<BackendPool>> list() {
        return switch (pages.all(requests.list(deadline()), LIST, element -> PoolReader.listed(element, ours))) {
            case Reply.Failed<List<ListedElement>>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<List<ListedElement>>(List<ListedElement> elements) -> listed(elements);
        };
    }

    private Reply<List<BackendPool>> listed(List<ListedElement> elements) {
        List<ListedLoadBalancer> readable = new ArrayList<>();
        Set<Unreadable> unreadable = new LinkedHashSet<>();
        for (ListedElement element : elements) {
            switch (element) {
                case Unreadable unknown -> unreadable.add(unknown);
                case ListedLoadBalancer loadBalancer -> {
                    readable.add(loadBalancer);
                    unreadable.addAll(loadBalancer.unreadable());
                }
            }
        }
        Optional<Unreadable> unidentified =
                unreadable.stream().filter(it -> it.pool() == null).findFirst();
        if (unidentified.isPresent()
                && readable.stream().allMatch(it -> it.pools().isEmpty())) {
            return Reply.failed(Failure.Other.terminal("ARM's response about %s is invalid: %s"
                    .formatted(LIST, unidentified.get().describe())));
        }
        List<ListedLoadBalancer> complete = last.complete(readable, unreadable);
        ours.listed(complete.stream().map(ListedLoadBalancer::name).toList());
        networks.listed(complete);
        unreadableLog.listed(unreadable);
        return Reply.ok(complete.stream()
                .flatMap(loadBalancer -> loadBalancer.pools().stream())
                .toList());
    }

    private Deadline deadline() {
        return exchange.deadline(polls.deadline());
    }
}
