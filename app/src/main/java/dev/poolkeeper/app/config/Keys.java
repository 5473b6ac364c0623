package dev.poolkeeper.app.config;

import java.util.List;
import java.util.Map;

/** The keys of the configuration file. Upper and lower case do not matter, as they do not to the cloud provider. */
public final class Keys {

    public static final String UPDATE_INTERVAL = "loadBalancerBackendPoolUpdateIntervalInSeconds";
    public static final String MAX_RETRIES = "loadBalancerBackendPoolUpdateMaxRetries";
    public static final String UPDATE_MODEL = "updateModel";

    public static final String RETRY = "retry";
    public static final String TIMEOUTS = "timeouts";
    public static final String RETRY_CONSTRAINT = "retryConstraint";
    public static final String RETRY_POLICY_FILES = "retryPolicyFiles";

    public static final String BACKOFF = "cloudProviderBackoff";
    public static final String BACKOFF_RETRIES = "cloudProviderBackoffRetries";

    public static final String CLOUD = "cloud";
    public static final String RESOURCE_MANAGER_ENDPOINT = "resourceManagerEndpoint";
    public static final String AUTHORITY_HOST = "authorityHost";
    public static final String CA_FILE = "caFile";
    public static final String SUBSCRIPTION_ID = "subscriptionId";
    public static final String RESOURCE_GROUP = "resourceGroup";
    public static final String LOAD_BALANCER_RESOURCE_GROUP = "loadBalancerResourceGroup";
    public static final String NETWORK_RESOURCE_SUBSCRIPTION_ID = "networkResourceSubscriptionID";
    public static final String VNET_NAME = "vnetName";
    public static final String VNET_RESOURCE_GROUP = "vnetResourceGroup";
    public static final String OPERATION_POLL_INTERVAL = "operationPollIntervalInSeconds";
    public static final String OPERATION_DEADLINE = "operationDeadlineInSeconds";

    public static final String TENANT_ID = "tenantId";
    public static final String NETWORK_RESOURCE_TENANT_ID = "networkResourceTenantID";
    public static final String CLIENT_ID = "aadClientId";
    public static final String CLIENT_SECRET = "aadClientSecret";
    public static final String CLIENT_SECRET_FILE = "aadClientSecretFile";
    public static final String CLIENT_CERT_PATH = "aadClientCertPath";
    public static final String CLIENT_CERT_PASSWORD = "aadClientCertPassword";
    public static final String USE_MANAGED_IDENTITY = "useManagedIdentityExtension";
    public static final String USER_ASSIGNED_IDENTITY_ID = "userAssignedIdentityID";
    public static final String USE_WORKLOAD_IDENTITY = "useFederatedWorkloadIdentityExtension";
    public static final String FEDERATED_TOKEN_FILE = "aadFederatedTokenFile";

    public static final String RATE_LIMIT = "cloudProviderRateLimit";
    public static final String RATE_LIMIT_QPS = "cloudProviderRateLimitQPS";
    public static final String RATE_LIMIT_BUCKET = "cloudProviderRateLimitBucket";
    public static final String RATE_LIMIT_QPS_WRITE = "cloudProviderRateLimitQPSWrite";
    public static final String RATE_LIMIT_BUCKET_WRITE = "cloudProviderRateLimitBucketWrite";

    public static final String KUBECONFIG = "kubeconfig";
    public static final String KUBE_CONTEXT = "kubeContext";
    public static final String DRY_RUN = "dryRun";
    public static final String PAUSED = "paused";
    public static final String DIRECTORY_REFRESH = "directoryRefreshIntervalInSeconds";
    public static final String RESYNC = "resyncIntervalInSeconds";
    public static final String CONCURRENCY = "loadBalancerConcurrency";
    public static final String LOAD_BALANCERS = "multipleStandardLoadBalancerConfigurations";
    public static final String LOAD_BALANCER_TAG = "loadBalancerTag";
    public static final String SAFETY_BRAKE = "safetyBrake";
    public static final String LEADER_ELECTION = "leaderElection";
    public static final String RESOURCE_LOCK = "resourceLock";
    public static final String ADMIN = "admin";
    public static final String LOGGING = "logging";
    public static final String SHUTDOWN_GRACE = "shutdownGraceInSeconds";

    public static final String LEASE_NAME = "leaseName";
    public static final String LEASE_NAMESPACE = "leaseNamespace";
    public static final String LEASE_DURATION = "leaseDurationInSeconds";
    public static final String RENEW_DEADLINE = "renewDeadlineInSeconds";
    public static final String RETRY_PERIOD = "retryPeriodInSeconds";

    /** The keys that mean something here. */
    public static final List<String> USED = List.of(
            UPDATE_INTERVAL,
            MAX_RETRIES,
            UPDATE_MODEL,
            RETRY,
            TIMEOUTS,
            RETRY_CONSTRAINT,
            RETRY_POLICY_FILES,
            BACKOFF,
            BACKOFF_RETRIES,
            CLOUD,
            RESOURCE_MANAGER_ENDPOINT,
            AUTHORITY_HOST,
            CA_FILE,
            SUBSCRIPTION_ID,
            RESOURCE_GROUP,
            LOAD_BALANCER_RESOURCE_GROUP,
            NETWORK_RESOURCE_SUBSCRIPTION_ID,
            VNET_NAME,
            VNET_RESOURCE_GROUP,
            OPERATION_POLL_INTERVAL,
            OPERATION_DEADLINE,
            TENANT_ID,
            NETWORK_RESOURCE_TENANT_ID,
            CLIENT_ID,
            CLIENT_SECRET,
            CLIENT_SECRET_FILE,
            CLIENT_CERT_PATH,
            CLIENT_CERT_PASSWORD,
            USE_MANAGED_IDENTITY,
            USER_ASSIGNED_IDENTITY_ID,
            USE_WORKLOAD_IDENTITY,
            FEDERATED_TOKEN_FILE,
            RATE_LIMIT,
            RATE_LIMIT_QPS,
            RATE_LIMIT_BUCKET,
            RATE_LIMIT_QPS_WRITE,
            RATE_LIMIT_BUCKET_WRITE,
            LOAD_BALANCERS,
            LOAD_BALANCER_TAG,
            KUBECONFIG,
            KUBE_CONTEXT,
            DRY_RUN,
            PAUSED,
            DIRECTORY_REFRESH,
            RESYNC,
            CONCURRENCY,
            SAFETY_BRAKE,
            LEADER_ELECTION,
            RESOURCE_LOCK,
            ADMIN,
            LOGGING,
            SHUTDOWN_GRACE);

    /** The daemon's keys that hold others, and what they hold. */
    static final Map<String, List<String>> HOLDERS = Map.of(
            LOAD_BALANCER_TAG,
            List.of("name", "value"),
            SAFETY_BRAKE,
            List.of("percent", "minAddresses", "holdInSeconds", "agreed"),
            LEADER_ELECTION,
            List.of("enabled", LEASE_NAME, LEASE_NAMESPACE, LEASE_DURATION, RENEW_DEADLINE, RETRY_PERIOD),
            RESOURCE_LOCK,
            List.of(LEASE_NAME, LEASE_NAMESPACE, LEASE_DURATION),
            ADMIN,
            List.of("address", "port"),
            LOGGING,
            List.of("format", "level"));

    private Keys() {}
}
