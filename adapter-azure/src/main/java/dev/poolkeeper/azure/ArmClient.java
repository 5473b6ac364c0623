package dev.poolkeeper.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.AddDatePolicy;
import com.azure.core.http.policy.RequestIdPolicy;
import com.azure.core.http.policy.UserAgentPolicy;
import com.azure.core.http.rest.PagedResponse;
import com.azure.core.http.rest.Response;
import com.azure.core.management.http.policy.ArmChallengeAuthenticationPolicy;
import com.azure.core.util.FluxUtil;
import com.azure.resourcemanager.network.fluent.LoadBalancersClient;
import com.azure.resourcemanager.network.fluent.NetworkManagementClient;
import com.azure.resourcemanager.network.fluent.models.BackendAddressPoolInner;
import com.azure.resourcemanager.network.fluent.models.LoadBalancerInner;
import com.azure.resourcemanager.network.implementation.NetworkManagementClientBuilder;
import dev.poolkeeper.ports.PoolKey;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The SDK's requests, each one HTTP exchange: its network client over a pipeline without retry, logging and provider
 * registration. GET, PUT and LIST are the SDK's own; the polls of a long-running operation are not: the SDK's poller
 * waits 30 s before it looks, takes a 429 for a failed write, knows no deadline, no date in {@code Retry-After} and no
 * interrupt, loses why an operation was canceled, and sends the token to whatever host the answer names.
 */
final class ArmClient {

    private static final String USER_AGENT = "poolkeeper";
    private static final String PERMISSIONS_VERSION = "2022-04-01";

    private final NetworkManagementClient client;
    private final HttpPipeline pipeline;
    private final URI endpoint;
    private final String group;

    ArmClient(AzureSettings settings, TokenCredential credential, HttpClient http, Gates gates) {
        AzureCloud cloud = settings.cloud();
        this.endpoint = cloud.resourceManager();
        this.group = settings.scope().loadBalancerGroup();
        this.pipeline = new HttpPipelineBuilder()
                .policies(
                        new UserAgentPolicy(USER_AGENT),
                        new RequestIdPolicy(),
                        new AddDatePolicy(),
                        new ArmChallengeAuthenticationPolicy(credential, cloud.scope()),
                        new WirePolicy(gates))
                .httpClient(http)
                .build();
        this.client = new NetworkManagementClientBuilder()
                .pipeline(pipeline)
                .endpoint(endpoint.toString())
                .subscriptionId(settings.scope().loadBalancerSubscription())
                .defaultPollInterval(settings.polls().interval())
                .buildClient();
    }

    Mono<BackendAddressPoolInner> get(PoolKey key) {
        return client.getLoadBalancerBackendAddressPools()
                .getWithResponseAsync(
                        group, key.loadBalancer().toString(), key.pool().toString())
                .mapNotNull(Response::getValue);
    }

    /** Only the PUT itself, not the operation that it starts. */
    Mono<byte[]> put(PoolKey key, BackendAddressPoolInner body) {
        return client.getLoadBalancerBackendAddressPools()
                .createOrUpdateWithResponseAsync(
                        group, key.loadBalancer().toString(), key.pool().toString(), body)
                .flatMap(response -> FluxUtil.collectBytesInByteBufferStream(response.getValue()));
    }

    /** One page of the resource group's load balancers: the first, or the one that a page before it named. */
    Mono<PagedResponse<LoadBalancerInner>> list(@Nullable String nextLink) {
        LoadBalancersClient loadBalancers = client.getLoadBalancers();
        return (nextLink == null
                        ? loadBalancers.listByResourceGroupAsync(group).byPage()
                        : loadBalancers.listByResourceGroupAsync(group).byPage(nextLink))
                .next();
    }

    /** Where ARM tells what the caller may do with the resource or resource group of this id. */
    String permissionsOf(String id) {
        String path = Arrays.stream(id.split("/", -1))
                .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/"));
        return endpoint.resolve(
                        path + "/providers/Microsoft.Authorization/permissions?api-version=" + PERMISSIONS_VERSION)
                .toString();
    }

    /** The answer to a GET of an address, such as one that ARM gave. */
    Mono<byte[]> poll(String address) {
        HttpRequest request = new HttpRequest(HttpMethod.GET, address);
        request.setHeader(HttpHeaderName.ACCEPT, "application/json");
        return FluxUtil.withContext(context -> pipeline.send(request, context))
                .flatMap(HttpResponse::getBodyAsByteArray);
    }

    /**
     * Whether a token may be sent there: to ARM's own host and port over https, or to a host below it, as ARM's
     * regional ones are.
     */
    boolean isTrusted(String address) {
        try {
            URI uri = URI.create(address);
            String host = uri.getHost() == null ? "" : uri.getHost().toLowerCase(Locale.ROOT);
            String own = endpoint.getHost().toLowerCase(Locale.ROOT);
            return "https".equalsIgnoreCase(uri.getScheme())
                    && uri.getRawUserInfo() == null
                    && port(uri) == port(endpoint)
                    && (host.equals(own) || host.endsWith("." + own));
        } catch (IllegalArgumentException e) { // no address at all
            return false;
        }
    }

    private static int port(URI uri) {
        return uri.getPort() < 0 ? 443 : uri.getPort();
    }
}
