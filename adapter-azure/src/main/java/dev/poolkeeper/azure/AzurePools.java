package dev.poolkeeper.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.http.ArmConnection;
import dev.poolkeeper.azure.http.ArmEndpoint;
import dev.poolkeeper.azure.http.ArmExchange;
import dev.poolkeeper.azure.http.ArmHttp;
import dev.poolkeeper.azure.http.GateStatus;
import dev.poolkeeper.azure.http.RemainingQuota;
import dev.poolkeeper.azure.identity.AzureCredentials;
import dev.poolkeeper.azure.identity.AzurePermissions;
import dev.poolkeeper.azure.identity.LastingTokens;
import dev.poolkeeper.azure.identity.PermissionProbe;
import dev.poolkeeper.azure.pool.LoadBalancerPools;
import dev.poolkeeper.azure.pool.LoadBalancerSelection;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Reply;
import dev.poolkeeper.ports.Time;
import java.util.List;

/**
 * Backend pools and their directory through Azure Resource Manager.
 *
 * <ul>
 *   <li>Only load balancers of the {@link LoadBalancerSelection} count: pools of others are not listed, and a read or
 *       write of one fails for good without a request. Where a tag selects, that is any pool of a load balancer that
 *       the last {@link #list} did not show.
 *   <li>A read is refused while the gate for writes is shut: the write that would follow could not be sent.
 *   <li>A write carries the ETag that was read, is followed to the end of its long-running operation, and loses nothing
 *       that the pool held, fields that are not known here included. Pools of network interfaces, with {@code syncMode:
 *       Automatic}, of cross-region load balancers, or of Private Link are never written.
 *   <li>What a write returns is what ARM shows after it, never what was asked for: the caller has to compare.
 *   <li>A 429 is {@link Failure.Throttled} at once and shuts the gate for requests of its kind.
 *   <li>No exception escapes; an interrupt ends any call with {@link Failure.Cancelled} and is kept.
 * </ul>
 *
 * <p>Thread-safe. Source: design document, <em>Error Classification</em> and <em>ThrottleError</em>.
 */
public final class AzurePools implements BackendPools, PoolDirectory {

    private final ArmExchange exchange;
    private final LoadBalancerPools pools;
    private final PermissionProbe permissions;

    AzurePools(AzurePoolsBuilder builder) {
        AzureSettings settings = builder.settings;
        AzureScope scope = settings.scope();
        ArmEndpoint endpoint = new ArmEndpoint(settings.cloud().resourceManager());
        Time steady = builder.time.steady(); // a gate stays shut as long as ARM asked, even if the clock is set
        this.exchange = new ArmExchange(
                new ArmConnection(
                        new LastingTokens(builder.credential, builder.time),
                        settings.cloud().scope(),
                        builder.http,
                        settings.readLimit(),
                        settings.writeLimit()),
                builder.retries,
                builder.listener,
                steady,
                builder.scheduler);
        this.pools = new LoadBalancerPools(
                exchange,
                endpoint,
                scope.loadBalancerGroupId(),
                settings.loadBalancers(),
                settings.polls(),
                scope.vnetId(),
                builder.nodeNames,
                steady);
        this.permissions = new PermissionProbe(
                endpoint, exchange, settings.polls().deadline(), scope.loadBalancerGroupId(), scope.vnetId());
    }

    /**
     * Begins to build one.
     *
     * @param credential gives tokens, as from {@link AzureCredentials}
     * @param http carries the requests, as from {@link ArmHttp}
     * @param time by which gates open, calls end and threads wait
     */
    public static AzurePoolsBuilder builder(
            AzureSettings settings, TokenCredential credential, HttpClient http, Time time) {
        return new AzurePoolsBuilder(settings, credential, http, time);
    }

    @Override
    public Reply<BackendPool> read(PoolKey pool, CallContext context) {
        return pools.read(pool, context);
    }

    /**
     * {@inheritDoc}
     *
     * @return the pool as ARM shows it after the operation: in a GET, or in the answer to the PUT where that ended the
     *     operation. ARM says of some writes that they succeeded and keeps what was there
     */
    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        return pools.write(read, addresses, context);
    }

    /**
     * Every pool of every load balancer of this cluster, page by page. The pools cannot be written. A pool whose
     * content cannot be understood is left out, and logged once.
     */
    @Override
    public Reply<List<BackendPool>> list() {
        return pools.list();
    }

    /** Asks ARM what our identity may do, and compares it with what it needs. One to two GETs; never throws. */
    public AzurePermissions probe() {
        return permissions.probe();
    }

    /** What is left of ARM's quota, as far as the answers to any of our requests said. */
    public RemainingQuota quota() {
        return exchange.quota();
    }

    /** Which gates are shut now. Sends and takes nothing. */
    public GateStatus gates() {
        return exchange.gates();
    }
}
