package dev.poolkeeper.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Backend pools and their directory through Azure Resource Manager.
 *
 * <ul>
 *   <li>Only load balancers of the {@link LoadBalancerSelection} count: pools of others are not listed, and a read or
 *       write of one fails for good without a request. Where a tag selects, that is any pool of a load balancer that
 *       the last {@link #list} did not show.
 *   <li>A read is refused while the gate for writes is shut: the write that would follow could not be sent.
 *   <li>A write carries the ETag that was read, is followed to the end of its long-running operation, and loses nothing
 *       that the API version defines as writable. Pools of network interfaces, with {@code syncMode: Automatic}, or of
 *       Private Link are never written.
 *   <li>A 429 is {@link Failure.Throttled} at once and shuts the gate for requests of its kind.
 *   <li>No exception escapes; an interrupt ends any call with {@link Failure.Cancelled} and is kept.
 * </ul>
 *
 * <p>Thread-safe. Source: design document, <em>Error Classification</em> and <em>ThrottleError</em>.
 */
public final class AzurePools implements BackendPools, PoolDirectory {

    private static final String NO_ETAG = "it came without an ETag, so a write could undo somebody else's: look at what"
            + " stands between here and Azure Resource Manager";

    private final AzureSettings settings;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Gates gates;
    private final ArmClient client;
    private final ArmExchange exchange;
    private final ArmPages pages;
    private final ClusterLoadBalancers ours;
    private final PoolWriter writer;
    private final KnownRefusals refusals = new KnownRefusals();

    AzurePools(AzurePoolsBuilder builder) {
        this.settings = builder.settings;
        this.clock = builder.clock;
        this.nanoTime = builder.nanoTime;
        this.gates = new Gates(clock, settings.readLimit(), settings.writeLimit());
        this.client = new ArmClient(settings, builder.credential, builder.http, gates);
        this.exchange = new ArmExchange(gates, builder);
        this.pages = new ArmPages(client, exchange);
        this.ours = new ClusterLoadBalancers(settings.loadBalancers());
        this.writer = new PoolWriter(builder.nodeNames, settings.scope().vnetId());
    }

    /**
     * Begins to build one.
     *
     * @param credential gives tokens, as from {@link AzureCredentials}
     * @param http carries the requests, as from {@link ArmHttp}
     */
    public static AzurePoolsBuilder builder(AzureSettings settings, TokenCredential credential, HttpClient http) {
        return new AzurePoolsBuilder(settings, credential, http);
    }

    @Override
    public Reply<BackendPool> read(PoolKey key) {
        Optional<Failure> notOurs = ours.refusal(key.loadBalancer());
        if (notOurs.isPresent()) {
            return Reply.failed(notOurs.get());
        }
        ArmRequest request = ArmRequest.of(ArmCall.Purpose.READ, key.loadBalancer(), deadline());
        Optional<Instant> shutUntil = gates.writesShutUntil(key.loadBalancer());
        if (shutUntil.isPresent()) {
            return exchange.refuse(request, shutUntil.get());
        }
        return switch (exchange.send(request, () -> client.get(key))) {
            case Reply.Failed<Answered<BackendAddressPoolInner>>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<Answered<BackendAddressPoolInner>>(Answered<BackendAddressPoolInner> answered) -> {
                try {
                    yield Reply.ok(PoolReader.read(key, answered));
                } catch (UnfitAnswerException e) {
                    yield Reply.failed(FailureMapping.ofUnfit("pool " + key, answered.answer(), e));
                }
            }
        };
    }

    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses) {
        Optional<Failure> notOurs = ours.refusal(read.key().loadBalancer());
        if (notOurs.isPresent()) {
            return Reply.failed(notOurs.get());
        }
        if (!(read.source() instanceof PoolSource source)) {
            return Reply.failed(
                    Failure.Other.terminal("pool " + read.key() + " was not read here, so it cannot be written"));
        }
        Optional<String> refusal = source.refusal().asOptional();
        if (refusal.isPresent() || read.etag() == null) {
            return Reply.failed(Failure.Other.terminal(
                    "pool %s is never written: %s".formatted(read.key(), refusal.orElse(NO_ETAG))));
        }
        Optional<Failure> known = refusals.find(read.key(), read.etag());
        if (known.isPresent()) {
            return Reply.failed(known.get());
        }
        BackendAddressPoolInner body;
        try {
            body = writer.body(source.model(), addresses);
        } catch (RuntimeException e) { // the SDK's or the embedder's
            return Reply.failed(
                    Failure.Other.terminal("no body for pool " + read.key() + ": " + Redaction.of(e.toString())));
        }
        Deadline deadline = deadline();
        ArmRequest request = ArmRequest.of(ArmCall.Purpose.WRITE, read.key().loadBalancer(), deadline)
                .withIfMatch(read.etag());
        Reply<BackendPool> reply = switch (exchange.send(request, () -> client.put(read.key(), body))) {
            case Reply.Failed<Answered<byte[]>>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<Answered<byte[]>>(Answered<byte[]> answered) ->
                new WriteOperation(client, exchange, clock, settings.polls(), read.key(), deadline)
                        .follow(answered.answer());
        };
        if (reply instanceof Reply.Failed<BackendPool>(Failure failure)) {
            refusals.note(read.key(), read.etag(), failure);
        }
        return reply;
    }

    /** Every pool of every load balancer of this cluster, page by page. The pools cannot be written. */
    @Override
    public Reply<List<BackendPool>> list() {
        ArmRequest request = ArmRequest.of(ArmCall.Purpose.LIST, null, deadline());
        return switch (pages.all(
                request, "the list of load balancers", client::list, body -> PoolReader.list(body, ours))) {
            case Reply.Failed<List<ListedLoadBalancer>>(Failure failure) -> Reply.failed(failure);
            case Reply.Ok<List<ListedLoadBalancer>>(List<ListedLoadBalancer> listed) -> {
                ours.listed(listed.stream().map(ListedLoadBalancer::name).toList());
                yield Reply.ok(listed.stream()
                        .flatMap(loadBalancer -> loadBalancer.pools().stream())
                        .toList());
            }
        };
    }

    /** Asks ARM what our identity may do, and compares it with what it needs. One to two GETs; never throws. */
    public AzurePermissions probe() {
        return new PermissionProbe(client, pages, settings.scope()).probe(deadline());
    }

    /** Which gates are shut now. Sends and takes nothing. */
    public GateStatus gates() {
        return gates.status();
    }

    private Deadline deadline() {
        return new Deadline(nanoTime, settings.polls().deadline());
    }
}
