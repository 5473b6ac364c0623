package dev.poolkeeper.azure.pool;

import dev.poolkeeper.azure.http.ArmAnswer;
import dev.poolkeeper.azure.http.ArmEndpoint;
import dev.poolkeeper.azure.http.ArmExchange;
import dev.poolkeeper.azure.http.ArmPages;
import dev.poolkeeper.azure.http.ArmRequest;
import dev.poolkeeper.azure.http.Deadline;
import dev.poolkeeper.azure.http.FailureMapping;
import dev.poolkeeper.azure.http.Redaction;
import dev.poolkeeper.azure.http.UnfitAnswerException;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads, writes and lists the pools of one resource group's load balancers. Thread-safe. */
public final class LoadBalancerPools {

    private static final String NO_ETAG = "it came without an ETag, so a write could undo another writer's: check what"
            + " stands between this daemon and Azure Resource Manager";

    private final ArmExchange exchange;
    private final PoolRequests requests;
    private final ArmPages pages;
    private final ClusterLoadBalancers ours;
    private final PollSettings polls;
    private final PoolBody body;
    private final InstantSource clock;
    private final PrivateLinkRefusals refusals = new PrivateLinkRefusals();
    private final UnreadablePools unreadable = new UnreadablePools();

    /**
     * @param group the id of the load balancers' resource group
     * @param selection which of its load balancers are this cluster's
     * @param vnetId the virtual network of pools that have none; empty: they get none
     * @param nodeNames the node that has an address: new entries are named after it
     */
    public LoadBalancerPools(
            ArmExchange exchange,
            ArmEndpoint endpoint,
            String group,
            LoadBalancerSelection selection,
            PollSettings polls,
            Optional<String> vnetId,
            Function<IpAddress, Optional<String>> nodeNames,
            InstantSource clock) {
        this.exchange = exchange;
        this.requests = new PoolRequests(endpoint, group);
        this.pages = new ArmPages(endpoint, exchange);
        this.ours = new ClusterLoadBalancers(selection);
        this.polls = polls;
        this.body = new PoolBody(nodeNames, vnetId);
        this.clock = clock;
    }

    /** The pool as it is now. Refused while writes are: the write that would follow could not be sent. */
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
                    yield Reply.ok(PoolReader.read(pool, answer));
                } catch (UnfitAnswerException e) {
                    yield Reply.failed(FailureMapping.ofUnfit("pool " + pool, answer.status(), e));
                }
            }
        };
    }

    /** Makes a pool hold these addresses. Returns it as ARM shows it afterwards. */
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        PoolKey pool = read.key();
        Optional<Failure> notOurs = ours.refusal(pool.loadBalancer());
        if (notOurs.isPresent()) {
            return Reply.failed(notOurs.get());
        }
        if (!(read.source() instanceof ReadPool source)) {
            return Reply.failed(Failure.Other.terminal("pool " + pool + " was not read here, so it cannot be written"));
        }
        String etag = read.etag();
        if (source.refusal().isPresent() || etag == null) {
            return Reply.failed(Failure.Other.terminal("pool %s is never written: %s"
                    .formatted(pool, source.refusal().orElse(NO_ETAG))));
        }
        Optional<Failure> known = refusals.find(pool, etag);
        if (known.isPresent()) {
            return Reply.failed(known.get());
        }
        byte[] update;
        try {
            update = body.of(source.body(), addresses);
        } catch (RuntimeException e) { // the embedder's, asked for the names of nodes
            return Reply.failed(Failure.Other.terminal("no body for pool " + pool + ": " + Redaction.of(e.toString())));
        }
        WriteFailures failures = new WriteFailures(refusals, pool, etag);
        return new WriteOperation(exchange, requests, clock, polls, failures, pool, deadline(), context)
                .run(new ArmRequest.Update(etag, update));
    }

    /**
     * Every pool of every load balancer of this cluster, page by page. The pools cannot be written. A pool whose
     * content cannot be understood is left out and logged.
     */
    public Reply<List<BackendPool>> list() {
        return switch (pages.all(
                requests.list(deadline()), "the list of load balancers", element -> PoolReader.listed(element, ours))) {
            case Reply.Failed<List<ListedLoadBalancer>>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<List<ListedLoadBalancer>>(List<ListedLoadBalancer> listed) -> Reply.ok(listed(listed));
        };
    }

    private List<BackendPool> listed(List<ListedLoadBalancer> loadBalancers) {
        List<ArmName> names =
                loadBalancers.stream().map(ListedLoadBalancer::name).toList();
        Map<PoolKey, String> notRead = new HashMap<>();
        loadBalancers.forEach(loadBalancer -> notRead.putAll(loadBalancer.unreadable()));
        ours.listed(names);
        unreadable.listed(notRead);
        return loadBalancers.stream()
                .flatMap(loadBalancer -> loadBalancer.pools().stream())
                .toList();
    }

    private Deadline deadline() {
        return exchange.deadline(polls.deadline());
    }
}
