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
import dev.poolkeeper.azure.identity.CachedTokens;
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
import java.time.InstantSource;
import java.util.List;

/**
 * Backend pools and their directory through Azure Resource Manager.
 *
 * <ul>
 *   <li>Only load balancers in the {@link LoadBalancerSelection} are used: pools of others are not listed, and reading
 *       or writing one fails permanently without a request. If a tag selects, this applies to every load balancer that
 *       the last {@link #list} did not return.
 *   <li>A read is refused while the write gate is closed, because the following write could not be sent.
 *   <li>A write carries the ETag that was read, is polled until its long-running operation ends, and preserves all
 *       other properties of the pool, including unknown fields. Pools of network interfaces, with {@code syncMode:
 *       Automatic}, of cross-region load balancers, or of Private Link are never written.
 *   <li>A write returns the pool as ARM shows it afterwards, never the requested contents: the caller must compare
 *       them.
 *   <li>A 429 immediately becomes {@link Failure.Throttled} and closes the gate for requests of its kind.
 *   <li>No exception escapes; an interrupt ends any call with {@link Failure.Cancelled}, and the interrupt status is
 *       kept.
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
        InstantSource clock =
                builder.time.steady(); // a gate stays closed as long as ARM asked, even if the clock is changed
        this.exchange = new ArmExchange(
                new ArmConnection(
                        new CachedTokens(builder.credential, builder.time, builder.scheduler),
                        settings.cloud().scope(),
                        builder.http,
                        settings.readLimit(),
                        settings.writeLimit()),
                builder.retries,
                builder.listener,
                builder.time,
                clock,
                builder.scheduler);
        this.pools = new LoadBalancerPools(
                exchange,
                endpoint,
                scope.loadBalancerGroupId(),
                settings.networkApiVersion(),
                settings.loadBalancers(),
                settings.polls(),
                scope.vnetId(),
                builder.nodeNames,
                clock);
        this.permissions = new PermissionProbe(
                endpoint, exchange, settings.polls().deadline(), scope.loadBalancerGroupId(), scope.vnetId());
    }

    /**
     * Creates a builder.
     *
     * @param credential provides tokens, such as one from {@link AzureCredentials}
     * @param http sends the requests, such as one from {@link ArmHttp}
     * @param time the clock for gates, deadlines and waits
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
     * @return the pool as ARM shows it after the operation: from a GET, or from the response to the PUT if that
     *     completed the operation. ARM reports some writes as succeeded although it kept the old contents
     */
    @Override
    public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
        return pools.write(read, addresses, context);
    }

    /**
     * Lists all pools of this cluster's load balancers, page by page. The pools cannot be written. What cannot be read
     * affects nothing else: it stays as last listed, is left out if it never was, and is logged once. A listing in
     * which nothing can be read is a failure.
     */
    @Override
    public Reply<List<BackendPool>> list() {
        return pools.list();
    }

    /**
     * Asks ARM for the permissions of our identity and compares them with those it needs. Takes one or two GETs; never
     * throws.
     */
    public AzurePermissions probe() {
        return permissions.probe();
    }

    /** The remaining ARM quota, as last reported in responses to our requests. */
    public RemainingQuota quota() {
        return exchange.quota();
    }

    /** The gates that are currently closed. Sends no request and takes no token. */
    public GateStatus gates() {
        return exchange.gates();
    }
}
