package dev.poolkeeper.app.config;

import dev.poolkeeper.app.config.DaemonSettings.Format;
import dev.poolkeeper.app.config.Key.Trait;
import dev.poolkeeper.app.config.NumberTypes.Decimal;
import dev.poolkeeper.app.config.NumberTypes.Seconds;
import dev.poolkeeper.app.config.NumberTypes.Statuses;
import dev.poolkeeper.app.config.NumberTypes.Whole;
import dev.poolkeeper.app.config.PlaceTypes.ExistingFile;
import dev.poolkeeper.app.config.PlaceTypes.FileNames;
import dev.poolkeeper.app.config.PlaceTypes.HttpsAddress;
import dev.poolkeeper.app.config.PlaceTypes.IpLiteral;
import dev.poolkeeper.app.config.PlaceTypes.NamedObjects;
import dev.poolkeeper.app.config.TextTypes.Choice;
import dev.poolkeeper.app.config.TextTypes.Name;
import dev.poolkeeper.app.config.TextTypes.Names;
import dev.poolkeeper.app.config.TextTypes.OneOrMore;
import dev.poolkeeper.app.config.TextTypes.Secret;
import dev.poolkeeper.app.config.TextTypes.Span;
import dev.poolkeeper.app.config.TextTypes.Text;
import dev.poolkeeper.app.config.TextTypes.Truth;
import dev.poolkeeper.azure.AzureSettings;
import dev.poolkeeper.azure.pool.PollSettings;
import dev.poolkeeper.core.engine.Pace;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.input.policies.PolicyStanzas;
import dev.poolkeeper.k8s.lease.ElectionSettings;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.ports.retry.RetryPolicy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.slf4j.event.Level;

/**
 * The keys of the configuration file, each declared once. A declaration is all that a new key needs: validation,
 * {@code check-config}, suggestions for typos, {@code docs/configuration.md} and the chart's schema follow from it;
 * code that needs the value reads it from {@link Settings}.
 *
 * <p>Names are the Azure cloud provider's where it has the key, and the Gateway API's for retry policy. Keys are
 * case-insensitive, as in the cloud provider.
 */
public final class Keys {

    private static final int HOUR = 3_600;
    private static final int DAY = 86_400;
    private static final int MAX = Integer.MAX_VALUE;

    private static final List<Section> SECTIONS = new ArrayList<>();

    /** The update models as users write them: {@code diff}, {@code desired-state}. */
    public static final Choice<UpdateModel> MODELS = Choice.of(List.of(UpdateModel.values()));

    private static final Section POOLS = section("pools");

    static final Key<Duration> UPDATE_INTERVAL = POOLS.key(
                    "loadBalancerBackendPoolUpdateIntervalInSeconds",
                    new Seconds(0, MAX),
                    "time between ticks; with the eager pace, failed updates are retried at its multiples")
            .with(Trait.ZERO_IS_DEFAULT)
            .or(Duration.ofSeconds(30));

    static final Key<Integer> MAX_RETRIES = POOLS.key(
                    "loadBalancerBackendPoolUpdateMaxRetries",
                    new Whole(Integer.MIN_VALUE, MAX),
                    "extra attempts after the first failed one; 0 switches retries off, a negative number counts as 0")
            .or(3);

    static final Key<UpdateModel> UPDATE_MODEL = POOLS.key(
                    "updateModel",
                    MODELS,
                    "what an update applies: the observed changes (`diff`), or the complete desired state")
            .or(UpdateModel.DESIRED_STATE);

    static final Key<PaceName> PACE = POOLS.key(
                    "loadBalancerBackendPoolUpdatePace",
                    Choice.of(List.of(PaceName.values())),
                    "when an update starts: as soon as its load balancer is free, most urgent pool first; or only at"
                            + " ticks. The model `diff` supports ticks only")
            .or("`eager`, unless `updateModel` is `diff`", EngineKeys::usualPace);

    static final Key<Integer> GATHER = POOLS.key(
                    "loadBalancerBackendPoolGatherInMilliseconds",
                    new Whole(0, 60_000),
                    "with the eager pace, how long a pool waits after its first change, to gather further changes")
            .or((int) Pace.Eager.DEFAULT.gather().toMillis());

    static final Key<Duration> LONGEST_WAIT = POOLS.key(
                    "loadBalancerBackendPoolMaxWaitInSeconds",
                    new Seconds(1, MAX),
                    "with the eager pace, a pool that has waited longer takes precedence over more urgent ones")
            .or(Pace.Eager.DEFAULT.longestWait());

    /** Stanzas of the Gateway API; unknown fields are faults. */
    private static final Section RETRIES = strictSection("retries");

    static final Key<Boolean> BACKOFF = RETRIES.key(
                    "cloudProviderBackoff", new Truth(), "whether `cloudProviderBackoffRetries` is used")
            .or(false);

    static final Key<Integer> BACKOFF_RETRIES = RETRIES.key(
                    "cloudProviderBackoffRetries",
                    new Whole(0, MAX),
                    "retries of one call if `retry.attempts` is not set; 0 does not disable retries, it counts"
                            + " as not set")
            .orNone("none");

    static final Key<SortedSet<Integer>> RETRY_CODES = RETRIES.key(
                    "retry.codes", new Statuses(), "HTTP statuses that are retried inside a call")
            .with(Trait.LIVE)
            .or(RetryPolicy.DEFAULT.codes());

    static final Key<Integer> RETRY_ATTEMPTS = RETRIES.key(
                    "retry.attempts",
                    new Whole(0, MAX),
                    "retries of one call, not counting the first attempt; 0 disables them")
            .with(Trait.LIVE)
            .or("`cloudProviderBackoffRetries` if it is used, else `3`", RetryKeys::usualAttempts);

    static final Key<Duration> RETRY_BACKOFF = RETRIES.key(
                    "retry.backoff", Span.ANY, "the shortest wait before a retry")
            .with(Trait.LIVE)
            .or(RetryPolicy.DEFAULT_BACKOFF);

    static final Key<Duration> REQUEST_TIMEOUT = RETRIES.key(
                    "timeouts.request",
                    Span.ANY,
                    "the timeout of a call including all attempts and waits; `0s` for no limit")
            .with(Trait.LIVE)
            .or(Duration.ZERO);

    static final Key<Duration> BACKEND_REQUEST_TIMEOUT = RETRIES.key(
                    "timeouts.backendRequest", Span.ANY, "the timeout of one attempt; `0s` for no limit")
            .with(Trait.LIVE)
            .or(
                    "`60s`, or `timeouts.request` if that is shorter",
                    settings -> Setting.byDefault(PolicyStanzas.usualAttempt(settings.get(REQUEST_TIMEOUT))));

    static final Key<Integer> BUDGET_PERCENT = RETRIES.key(
                    "retryConstraint.budget.percent",
                    new Whole(0, 100),
                    "the percentage of all requests that may be retries")
            .with(Trait.LIVE)
            .or("`20`", settings -> RetryKeys.usualBudget(settings, budget -> budget.percent()));

    static final Key<Duration> BUDGET_INTERVAL = RETRIES.key(
                    "retryConstraint.budget.interval",
                    new Span(Duration.ofSeconds(1), Duration.ofHours(1)),
                    "how long a request counts towards the budget")
            .with(Trait.LIVE)
            .or(
                    "`60s`; with a `retryConstraint` `10s`",
                    settings -> RetryKeys.usualBudget(settings, budget -> budget.interval()));

    static final Key<Integer> MIN_RETRY_COUNT = RETRIES.key(
                    "retryConstraint.minRetryRate.count", new Whole(1, 1_000_000), "retries that are always allowed")
            .with(Trait.LIVE)
            .or(
                    "`6`; with a `retryConstraint` `10`",
                    settings -> RetryKeys.usualBudget(
                            settings, budget -> budget.minRetryRate().count()));

    static final Key<Duration> MIN_RETRY_INTERVAL = RETRIES.key(
                    "retryConstraint.minRetryRate.interval",
                    new Span(Duration.ofMillis(1), Duration.ofHours(1)),
                    "the interval of `retryConstraint.minRetryRate.count`")
            .with(Trait.LIVE)
            .or(
                    "`60s`; with a `retryConstraint` `1s`",
                    settings -> RetryKeys.usualBudget(
                            settings, budget -> budget.minRetryRate().interval()));

    static final Key<List<Path>> RETRY_POLICY_FILES = RETRIES.key(
                    "retryPolicyFiles",
                    new FileNames(),
                    "manifests with retry policies, relative to the configuration file; they take precedence over the"
                            + " keys")
            .with(Trait.LIVE)
            .or("none", settings -> Setting.byDefault(List.of()));

    static final Key<Boolean> POLICY_OBJECTS = RETRIES.key(
                    "policyObjects",
                    new Truth(),
                    "whether the cluster's HTTPRoutes, XBackendTrafficPolicies and ServiceProfiles for the Service"
                            + " `azure-resource-manager` are used; they take precedence over the keys")
            .or(true);

    static final Key<String> POLICY_NAMESPACE = RETRIES.key(
                    "policyNamespace", Name.OF_NAMESPACE, "the only namespace from which they are used")
            .or("the environment variable `POD_NAMESPACE`, else `kube-system`", LeaseKeys::usualNamespace);

    private static final Section CLOUDS = section("cloud");

    static final Key<String> CLOUD = CLOUDS.key(
                    "cloud",
                    new Text(),
                    "`AzurePublicCloud`, `AzureChinaCloud` or `AzureUSGovernmentCloud`; not used with"
                            + " `resourceManagerEndpoint`")
            .or("AzurePublicCloud");

    static final Key<URI> RESOURCE_MANAGER_ENDPOINT = CLOUDS.key(
                    "resourceManagerEndpoint", new HttpsAddress(false), "the address of Azure Resource Manager")
            .orNone("that of the cloud");

    static final Key<URI> AUTHORITY_HOST = CLOUDS.key(
                    "authorityHost",
                    new HttpsAddress(true),
                    "the issuer of tokens; only with `resourceManagerEndpoint`")
            .orNone("that of the cloud; with `resourceManagerEndpoint` the one from its `/metadata/endpoints`");

    static final Key<String> TOKEN_AUDIENCE = CLOUDS.key(
                    "tokenAudience", new Text(), "the audience of tokens, without `/.default`")
            .orNone("that of the cloud; with `authorityHost` the address of `resourceManagerEndpoint`, else the one"
                    + " from its `/metadata/endpoints`");

    static final Key<Path> CA_FILE = CLOUDS.key(
                    "caFile",
                    new ExistingFile("a PEM file"),
                    "the only trusted CA certificates, for example those of an emulator")
            .orNone("the JDK's trust store");

    static final Key<String> SUBSCRIPTION_ID =
            CLOUDS.key("subscriptionId", Name.OF_RESOURCE, "the subscription").orNone("none");

    static final Key<String> RESOURCE_GROUP =
            CLOUDS.key("resourceGroup", Name.OF_RESOURCE, "the resource group").orNone("none");

    static final Key<String> LOAD_BALANCER_RESOURCE_GROUP = CLOUDS.key(
                    "loadBalancerResourceGroup", Name.OF_RESOURCE, "the resource group of the load balancers")
            .orValueOf(RESOURCE_GROUP);

    static final Key<String> NETWORK_RESOURCE_SUBSCRIPTION_ID = CLOUDS.key(
                    "networkResourceSubscriptionID",
                    Name.OF_RESOURCE,
                    "the subscription of the load balancers and the virtual network")
            .orValueOf(SUBSCRIPTION_ID);

    static final Key<String> VNET_NAME = CLOUDS.key(
                    "vnetName",
                    Name.OF_RESOURCE,
                    "the virtual network set on a written pool that has none; without it, that of its load balancer's"
                            + " pools if they all have the same")
            .orNone("none");

    static final Key<String> VNET_RESOURCE_GROUP = CLOUDS.key(
                    "vnetResourceGroup", Name.OF_RESOURCE, "the resource group of the virtual network")
            .orValueOf(RESOURCE_GROUP);

    static final Key<String> NETWORK_API_VERSION = CLOUDS.key(
                    "networkApiVersion",
                    Name.OF_API_VERSION,
                    "the `api-version` of `Microsoft.Network` in requests for load balancers and their pools; a cloud"
                        + " that does not know the default, such as Azure Stack Hub, says in its refusal which ones it"
                        + " knows")
            .or(AzureSettings.NETWORK_API_VERSION);

    static final Key<Duration> OPERATION_POLL_INTERVAL = CLOUDS.key(
                    "operationPollIntervalInSeconds",
                    new Seconds(1, HOUR),
                    "time between polls of a long-running operation; grows to a tenth of the time waited, at most"
                            + " 10 s. ARM's `Retry-After` takes precedence")
            .or(PollSettings.DEFAULT.interval());

    static final Key<Duration> OPERATION_DEADLINE = CLOUDS.key(
                    "operationDeadlineInSeconds",
                    new Seconds(1, DAY),
                    "the timeout of one read, write or listing, including its operation")
            .or(PollSettings.DEFAULT.deadline());

    private static final Section LOAD_BALANCER_CHOICE = section("load balancers");

    static final Key<List<String>> LOAD_BALANCERS = LOAD_BALANCER_CHOICE
            .key(
                    "multipleStandardLoadBalancerConfigurations",
                    new NamedObjects(),
                    "the cloud provider's list of load balancers; their other fields are ignored")
            .orNone("none");

    static final Key<String> LOAD_BALANCER_TAG_NAME = LOAD_BALANCER_CHOICE
            .key(
                    "loadBalancerTag.name",
                    LoadBalancerKeys.TAG_NAME,
                    "the name of the tag on the cluster's load balancers; together with" + " `loadBalancerTag.value`")
            .orNone("none");

    static final Key<String> LOAD_BALANCER_TAG_VALUE = LOAD_BALANCER_CHOICE
            .key("loadBalancerTag.value", LoadBalancerKeys.TAG_VALUE, "the tag's value")
            .orNone("none");

    private static final Section IDENTITY = section("identity");

    static final Key<String> TENANT_ID = IDENTITY.key("tenantId", Name.OF_TENANT, "the tenant")
            .below("AZURE_TENANT_ID")
            .orNone("none");

    static final Key<String> NETWORK_RESOURCE_TENANT_ID = IDENTITY.key(
                    "networkResourceTenantID", Name.OF_TENANT, "the tenant of the load balancers")
            .orValueOf(TENANT_ID);

    static final Key<String> CLIENT_ID = IDENTITY.key(
                    "aadClientId",
                    new Text(),
                    "the client id; required with a tenant for workload identity, secret and certificate")
            .below("AZURE_CLIENT_ID")
            .orNone("none");

    static final Key<String> CLIENT_SECRET = IDENTITY.key("aadClientSecret", new Secret(), "the client's secret")
            .with(Trait.NOT_IN_CHART)
            .below("AZURE_CLIENT_SECRET")
            .orNone("none");

    static final Key<String> CLIENT_SECRET_FILE = IDENTITY.key(
                    "aadClientSecretFile",
                    new Text(),
                    "a file that contains only the client's secret, relative to the configuration file; instead of"
                            + " `aadClientSecret`, for example a mounted Secret")
            .orNone("none");

    static final Key<String> CLIENT_CERT_PATH = IDENTITY.key(
                    "aadClientCertPath", new Text(), "the client's certificate and key, a PEM or PKCS#12 file")
            .orNone("none");

    static final Key<String> CLIENT_CERT_PASSWORD = IDENTITY.key(
                    "aadClientCertPassword", new Secret(), "the password of the PKCS#12 file")
            .with(Trait.NOT_IN_CHART)
            .orNone("none");

    static final Key<Boolean> USE_MANAGED_IDENTITY = IDENTITY.key(
                    "useManagedIdentityExtension", new Truth(), "whether a managed identity is used")
            .or(false);

    static final Key<String> USER_ASSIGNED_IDENTITY_ID = IDENTITY.key(
                    "userAssignedIdentityID", new Text(), "its client id or resource id")
            .orNone("the system-assigned one");

    static final Key<Boolean> USE_WORKLOAD_IDENTITY = IDENTITY.key(
                    "useFederatedWorkloadIdentityExtension", new Truth(), "whether workload identity is used")
            .or(false);

    static final Key<String> FEDERATED_TOKEN_FILE = IDENTITY.key(
                    "aadFederatedTokenFile", new Text(), "the file with the token of workload identity")
            .below("AZURE_FEDERATED_TOKEN_FILE")
            .orNone("none");

    private static final Section RATE_LIMITS = section("rate limits");

    private static final Decimal PER_SECOND = new Decimal(0, 1_000_000);

    static final Key<Boolean> RATE_LIMIT = RATE_LIMITS
            .key("cloudProviderRateLimit", new Truth(), "whether the four keys below are used")
            .or(false);

    static final Key<Double> RATE_LIMIT_QPS = RATE_LIMITS
            .key("cloudProviderRateLimitQPS", PER_SECOND, "reads per second")
            .with(Trait.ZERO_IS_DEFAULT)
            .or(1.0);

    static final Key<Integer> RATE_LIMIT_BUCKET = RATE_LIMITS
            .key("cloudProviderRateLimitBucket", new Whole(0, MAX), "burst of reads")
            .with(Trait.ZERO_IS_DEFAULT)
            .or(5);

    static final Key<Double> RATE_LIMIT_QPS_WRITE = RATE_LIMITS
            .key("cloudProviderRateLimitQPSWrite", PER_SECOND, "writes per second")
            .with(Trait.ZERO_IS_DEFAULT)
            .orValueOf(RATE_LIMIT_QPS);

    static final Key<Integer> RATE_LIMIT_BUCKET_WRITE = RATE_LIMITS
            .key("cloudProviderRateLimitBucketWrite", new Whole(0, MAX), "burst of writes")
            .with(Trait.ZERO_IS_DEFAULT)
            .orValueOf(RATE_LIMIT_BUCKET);

    private static final Section CLUSTER = section("cluster");

    static final Key<Path> KUBECONFIG = CLUSTER.key(
                    "kubeconfig", new ExistingFile("a kubeconfig file"), "the API server and the credentials")
            .with(Trait.NOT_IN_CHART)
            .orNone("`KUBECONFIG`, `~/.kube/config` or the pod's service account");

    static final Key<String> KUBE_CONTEXT = CLUSTER.key("kubeContext", new Text(), "the context in the kubeconfig file")
            .with(Trait.NOT_IN_CHART)
            .orNone("the current context");

    static final Key<Boolean> DRY_RUN = CLUSTER.key("dryRun", new Truth(), "whether everything except writes is done")
            .or(false);

    static final Key<Boolean> PAUSED = CLUSTER.key("paused", new Truth(), "whether new writes are stopped")
            .with(Trait.LIVE)
            .or(false);

    static final Key<Duration> DIRECTORY_REFRESH = CLUSTER.key(
                    "directoryRefreshIntervalInSeconds",
                    new Seconds(1, DAY),
                    "time between listings of the load balancers")
            .or(Duration.ofMinutes(5));

    static final Key<Duration> RESYNC = CLUSTER.key(
                    "resyncIntervalInSeconds",
                    new Seconds(0, DAY),
                    "time between comparisons of all pools with their desired state; 0 disables them")
            .or(Duration.ofMinutes(10));

    static final Key<Integer> CONCURRENCY = CLUSTER.key(
                    "loadBalancerConcurrency", new Whole(1, 64), "how many load balancers are processed in parallel")
            .or(64);

    static final Key<Integer> BRAKE_PERCENT = CLUSTER.key(
                    "safetyBrake.percent",
                    new Whole(0, 100),
                    "the largest percentage of its addresses that the cluster, or a namespace, may lose at once; 100"
                            + " disables the brake")
            .with(Trait.LIVE)
            .or(50);

    static final Key<Integer> BRAKE_MIN_ADDRESSES = CLUSTER.key(
                    "safetyBrake.minAddresses",
                    new Whole(0, 1_000_000),
                    "the brake ignores clusters with fewer addresses, and judges a namespace by itself if it would"
                            + " lose at least as many")
            .or(20);

    static final Key<Duration> BRAKE_HOLD = CLUSTER.key(
                    "safetyBrake.holdInSeconds",
                    new Seconds(1, DAY),
                    "after this time a removal that is still held and still desired proceeds without an operator's"
                            + " consent")
            .or(Duration.ofMinutes(10));

    static final Key<List<String>> BRAKE_AGREED = CLUSTER.key(
                    "safetyBrake.agreed",
                    new OneOrMore(),
                    "the id of the held removal that you approve, as shown in the log, the Event and `/statusz`;"
                            + " several ids; or `all` for those that are held when the daemon reads it")
            .with(Trait.LIVE)
            .or("none", settings -> Setting.byDefault(List.of()));

    private static final Section READINESS_GATE = section("readiness gate");

    static final Key<Boolean> GATE_ENABLED = READINESS_GATE
            .key(
                    "readinessGate.enabled",
                    new Truth(),
                    "whether the condition `poolkeeper.dev/load-balancer-ready` is set on Pods that opted in; not in a"
                            + " dry run")
            .or(false);

    static final Key<List<String>> GATE_NAMESPACES = READINESS_GATE
            .key("readinessGate.namespaces", Names.OF_NAMESPACES, "the only namespaces in which Pods may opt in")
            .or("all", settings -> Setting.byDefault(List.of()));

    static final Key<Duration> GATE_TIMEOUT = READINESS_GATE
            .key("readinessGate.timeoutInSeconds", new Seconds(0, DAY), "how long a Pod waits at most; 0 for no limit")
            .or(Duration.ofMinutes(10));

    private static final Section LEASES = section("leases");

    static final Key<Boolean> ELECTION_ENABLED = LEASES.key(
                    "leaderElection.enabled",
                    new Truth(),
                    "whether replicas elect a leader; disable it only for a single process")
            .or(true);

    static final Key<String> ELECTION_LEASE_NAME = LEASES.key(
                    "leaderElection.leaseName", Name.OF_KUBERNETES_OBJECT, "the Lease of the election")
            .or("poolkeeper-leader");

    static final Key<String> ELECTION_LEASE_NAMESPACE = LEASES.key(
                    "leaderElection.leaseNamespace", Name.OF_NAMESPACE, "the namespace of that Lease")
            .or("the environment variable `POD_NAMESPACE`, else `kube-system`", LeaseKeys::usualNamespace);

    static final Key<Duration> ELECTION_LEASE_DURATION = LEASES.key(
                    "leaderElection.leaseDurationInSeconds",
                    new Seconds(1, HOUR),
                    "how long a standby waits after the last renewal that it observed")
            .or(ElectionSettings.DEFAULT.leaseDuration());

    static final Key<Duration> ELECTION_RENEW_DEADLINE = LEASES.key(
                    "leaderElection.renewDeadlineInSeconds",
                    new Seconds(1, HOUR),
                    "how long the leader keeps leading without a renewal")
            .or(ElectionSettings.DEFAULT.renewDeadline());

    static final Key<Duration> ELECTION_RETRY_PERIOD = LEASES.key(
                    "leaderElection.retryPeriodInSeconds",
                    new Seconds(1, HOUR),
                    "how often leader and standbys access the Lease")
            .or(ElectionSettings.DEFAULT.retryPeriod());

    static final Key<String> LOCK_LEASE_NAME = LEASES.key(
                    "resourceLock.leaseName",
                    Name.OF_KUBERNETES_OBJECT,
                    "the Lease shared by all writers to the load balancers; another name excludes no other writer, and"
                            + " a warning says so")
            .or(ResourceLockSettings.NAME);

    static final Key<String> LOCK_LEASE_NAMESPACE = LEASES.key(
                    "resourceLock.leaseNamespace", Name.OF_NAMESPACE, "the namespace of that Lease")
            .or(ResourceLockSettings.NAMESPACE);

    static final Key<Duration> LOCK_LEASE_DURATION = LEASES.key(
                    "resourceLock.leaseDurationInSeconds",
                    new Seconds(
                            (int) ResourceLockSettings.DEFAULT.renewDeadline().toSeconds() + 1, DAY),
                    "how long after the last renewal other writers may take it")
            .or(ResourceLockSettings.DEFAULT.leaseDuration());

    private static final Section PROCESS = section("process");

    static final Key<String> ADMIN_ADDRESS = PROCESS.key(
                    "admin.address",
                    new IpLiteral(),
                    "the address that serves `/livez`, `/readyz`, `/metrics` and `/statusz`")
            .or("127.0.0.1");

    static final Key<Integer> ADMIN_PORT = PROCESS.key(
                    "admin.port", new Whole(0, 65_535), "the port of these pages; 0 for any free port")
            .or(8095);

    static final Key<List<String>> ADMIN_HOSTS = PROCESS.key(
                    "admin.hosts",
                    Names.OF_HOSTS,
                    "further names under which these pages answer, besides IP addresses, `localhost` and names of the"
                            + " cluster")
            .or("none", settings -> Setting.byDefault(List.of()));

    static final Key<Format> LOG_FORMAT = PROCESS.key(
                    "logging.format", Choice.of(List.of(Format.values())), "the log format")
            .or(Format.TEXT);

    static final Key<Level> LOG_LEVEL = PROCESS.key(
                    "logging.level",
                    Loggers.LEVELS,
                    "the lowest level that is logged; `run --log-level` takes precedence")
            .with(Trait.LIVE)
            .or(Level.INFO);

    static final Key<Map<String, Level>> LOGGERS = PROCESS.key(
                    "logging.loggers",
                    new Loggers(),
                    "levels of individual loggers, ours or a library's, such as `dev.poolkeeper.core: debug`; they take"
                            + " precedence over `logging.level`")
            .with(Trait.LIVE)
            .or("none", settings -> Setting.byDefault(Map.of()));

    static final Key<Duration> SHUTDOWN_GRACE = PROCESS.key(
                    "shutdownGraceInSeconds",
                    new Seconds(0, HOUR),
                    "how long an accepted write is polled after SIGTERM")
            .or(Duration.ofSeconds(25));

    private Keys() {}

    private static Section section(String name) {
        return add(new Section(name, false));
    }

    private static Section strictSection(String name) {
        return add(new Section(name, true));
    }

    private static Section add(Section section) {
        SECTIONS.add(section);
        return section;
    }

    /** All sections, in the order of {@code docs/configuration.md}. */
    public static List<Section> sections() {
        return List.copyOf(SECTIONS);
    }

    /** Whether a field of the file, in any spelling, is a key about credentials, subscription and cluster. */
    static boolean isOfConnections(String field) {
        return Stream.concat(
                        Stream.of(KUBECONFIG, KUBE_CONTEXT),
                        Stream.of(CLOUDS, LOAD_BALANCER_CHOICE, IDENTITY, LEASES)
                                .flatMap(section -> section.keys().stream()))
                .anyMatch(key -> key.name().split("\\.", 2)[0].equalsIgnoreCase(field));
    }

    /** Every key, in the order of {@code docs/configuration.md}. */
    public static List<Key<?>> all() {
        List<Key<?>> keys = new ArrayList<>();
        SECTIONS.forEach(section -> keys.addAll(section.keys()));
        return keys;
    }
}
