package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.fake.cloud.StoredLoadBalancer;
import dev.poolkeeper.fake.cloud.StoredPool;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Handles a request in ARM's order: route, token, api-version, quota, role, then the resource provider. */
final class ArmService {

    private final FakeCloud cloud;
    private final ArmState state;
    private final Tokens tokens;
    private final LoadBalancerCalls loadBalancers;
    private final PoolCalls pools;
    private final OperationCalls operations;
    private volatile @Nullable Throttle throttle;

    ArmService(FakeCloud cloud, ArmSettings settings) {
        this.cloud = cloud;
        this.state = new ArmState(cloud.memory(), cloud.clock(), settings);
        this.tokens = new Tokens(cloud.clock(), state.ids);
        Writes writes = new Writes(state);
        this.loadBalancers = new LoadBalancerCalls(state, writes);
        this.pools = new PoolCalls(state, writes);
        this.operations = new OperationCalls(state, writes);
        use(settings);
    }

    /** Changes the settings. */
    void use(ArmSettings settings) {
        if (throttle == null || !Objects.equals(settings.throttling, state.settings.throttling)) {
            throttle = settings.throttling == null ? null : new Throttle(settings.throttling);
        }
        state.settings = settings;
    }

    ArmState state() {
        return state;
    }

    List<ArmOperation> operations() {
        synchronized (state.memory) {
            state.operations.settle(state.now());
            return state.operations.all(state.now());
        }
    }

    /**
     * The result of a request.
     *
     * @param handled the response, with its operation
     * @param subject the resource it was for
     * @param rule the fault that affects how the response is sent; null for none
     */
    record Served(
            Handled handled, Subject subject, @Nullable FaultRule rule) {}

    Served serve(ReceivedCall call) {
        ArmPath path = ArmPath.parse(call.rawPath());
        SentAnswer refusal = refuse(call, path);
        if (refusal != null) {
            return new Served(Handled.of(refusal), Subject.NONE, null);
        }
        synchronized (state.memory) {
            state.operations.settle(state.now());
            Subject subject = subject(path);
            Optional<FaultRule> rule = rule(call, path, subject);
            try {
                Handled handled = handle(call, path, rule.orElse(null));
                return new Served(handled, subject.of(handled.operation()), rule.orElse(null));
            } catch (BadBody e) {
                return new Served(Handled.of(e.answer()), subject, rule.orElse(null));
            }
        }
    }

    private @Nullable SentAnswer refuse(ReceivedCall call, ArmPath path) {
        SentAnswer refusal = Routes.refuse(call, path);
        if (refusal == null && path instanceof ArmPath.InSubscription) {
            refusal = tokens.refuse(call, state.settings);
            refusal = refusal != null ? refusal : Routes.refuseVersion(call.apiVersion());
            refusal = refusal != null ? refusal : throttle(call);
            refusal = refusal != null ? refusal : Access.refuse(call, path, state.settings.role);
            refusal = refusal != null ? refusal : ResourceNames.refuse(call, path);
        }
        return refusal;
    }

    private @Nullable SentAnswer throttle(ReceivedCall call) {
        Throttle limits = throttle;
        return limits == null
                ? null
                : limits.take(call.method(), cloud.clock().instant())
                        .map(refusal -> Routes.throttled(call, state.home.subscription(), refusal))
                        .orElse(null);
    }

    /** The number of requests of that kind that are still allowed right now; empty if requests are not counted. */
    Optional<Integer> remaining(String method) {
        return Optional.ofNullable(throttle).map(limits -> limits.remaining(method));
    }

    /** The same for all principals of the subscription together. */
    Optional<Integer> remainingOfAll(String method) {
        return Optional.ofNullable(throttle).map(limits -> limits.remainingOfAll(method));
    }

    private Optional<FaultRule> rule(ReceivedCall call, ArmPath path, Subject subject) {
        HttpsFault.Target target = switch (path) {
            case ArmPath.OperationState ignored -> HttpsFault.Target.OPERATION;
            case ArmPath.LoadBalancers ignored -> HttpsFault.Target.LIST;
            default -> HttpsFault.Target.RESOURCE;
        };
        if (!(path instanceof ArmPath.InSubscription) || path instanceof ArmPath.Permissions) {
            return Optional.empty();
        }
        Instant now = cloud.clock().instant();
        return cloud.faults()
                .answerTo(
                        target,
                        call.method(),
                        subject.loadBalancer() == null ? "" : subject.loadBalancer(),
                        subject.pool() == null ? "" : subject.pool(),
                        Duration.between(cloud.start(), now));
    }

    private Handled handle(ReceivedCall call, ArmPath path, @Nullable FaultRule rule) throws BadBody {
        if (rule != null && rule.status() != null) {
            return Handled.of(
                    FaultAnswers.answer(rule, rule.status(), cloud.clock().instant()));
        }
        if (rule != null && rule.https().drop() == HttpsFault.Drop.BEFORE) {
            return Handled.of(SentAnswer.of(0, null));
        }
        return handle(call, path, ending(call, rule));
    }

    private static Writes.@Nullable Ending ending(ReceivedCall call, @Nullable FaultRule rule) {
        return rule == null || rule.https().operation() == null || call.method().equals("GET")
                ? null
                : new Writes.Ending(rule.https().operation(), rule.code());
    }

    private Handled handle(ReceivedCall call, ArmPath path, Writes.@Nullable Ending ending) throws BadBody {
        SentAnswer nowhere = switch (path) {
            case ArmPath.InResourceGroup in -> state.refusePlace(in.subscription(), in.resourceGroup());
            case ArmPath.LoadBalancers in -> state.refusePlace(in.subscription(), in.inResourceGroup());
            case ArmPath.InSubscription in -> state.refusePlace(in.subscription(), null);
            default -> null;
        };
        if (nowhere != null) {
            return Handled.of(nowhere);
        }
        return switch (path) {
            case ArmPath.Token ignored -> Handled.of(tokens.give(call, state.settings));
            case ArmPath.Metadata metadata -> Handled.of(Authority.metadata(call, metadata.tenant()));
            case ArmPath.Keys ignored -> Handled.of(Authority.keys());
            case ArmPath.Endpoints ignored -> Handled.of(Authority.endpoints(call));
            case ArmPath.OperationState operation -> operations.get(call, operation);
            case ArmPath.LoadBalancers all -> loadBalancers.list(call, all);
            case ArmPath.LoadBalancer one ->
                switch (call.method()) {
                    case "PUT" -> loadBalancers.put(call, one, ending);
                    case "PATCH" -> loadBalancers.patchTags(call, one);
                    case "DELETE" -> loadBalancers.delete(call, one, ending);
                    default -> loadBalancers.get(one);
                };
            case ArmPath.Pools all -> pools.list(call, all);
            case ArmPath.Pool one ->
                switch (call.method()) {
                    case "PUT" -> pools.put(call, one, ending);
                    case "DELETE" -> pools.delete(call, one, ending);
                    default -> pools.get(one);
                };
            case ArmPath.Permissions ignored -> Handled.of(Access.permissions(state.settings.role));
            case ArmPath.Unknown unknown -> Handled.of(Routes.unknown(unknown));
        };
    }

    private Subject subject(ArmPath path) {
        return switch (path) {
            case ArmPath.LoadBalancer one -> spelled(one.loadBalancer(), null);
            case ArmPath.Pools all -> spelled(all.loadBalancer(), null);
            case ArmPath.Pool one -> spelled(one.loadBalancer(), one.pool());
            case ArmPath.OperationState operation ->
                Subject.NONE.of(state.operations.byId(operation.id()).orElse(null));
            default -> Subject.NONE;
        };
    }

    private Subject spelled(String loadBalancer, @Nullable String pool) {
        String known = state.memory
                .loadBalancer(ArmName.of(loadBalancer))
                .map(StoredLoadBalancer::name)
                .map(ArmName::toString)
                .orElse(loadBalancer);
        if (pool == null) {
            return new Subject(known, null, null);
        }
        return new Subject(
                known,
                state.memory
                        .pool(PoolKey.of(loadBalancer, pool))
                        .map(StoredPool::key)
                        .map(key -> key.pool().toString())
                        .orElse(pool),
                null);
    }
}
