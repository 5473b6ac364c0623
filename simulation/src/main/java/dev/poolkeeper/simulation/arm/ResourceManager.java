package dev.poolkeeper.simulation.arm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.arm.ArmApi;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.ServerTime;
import dev.poolkeeper.simulation.time.Timeline;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Azure Resource Manager, implemented by the emulator, with the current faults between it and its clients: in requests,
 * in the bytes and headers of responses, and in operations.
 */
public final class ResourceManager {

    /** Is notified of changes of pools, and of faults that requests encounter. */
    public interface Observer {

        /** A request encountered a fault. */
        void met(ArmFault fault);

        /** A pool's content or version changed. */
        void written(PoolImage before, PoolImage after, String writer);
    }

    private static final String ROOT = "https://management.azure.com";
    private static final String SUBSCRIPTION = "00000000-0000-0000-0000-000000000000";
    private static final String GROUP = "simulation";
    private static final String LOAD_BALANCERS = ROOT + "/subscriptions/" + SUBSCRIPTION + "/resourceGroups/" + GROUP
            + "/providers/Microsoft.Network/loadBalancers";
    private static final String VERSION = "?api-version=2025-03-01";
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json; charset=utf-8");
    private static final String QUOTA = "x-ms-ratelimit-remaining-subscription-";
    private static final String OPERATION = "Azure-AsyncOperation";
    private static final long GIVEN_UP = 6 * Timeline.SECONDS;

    private final Timeline timeline;
    private final Chance chance;
    private final Observer observer;
    private final FakeCloud cloud;
    private final ArmApi api;
    private final List<FaultWindow> windows = new ArrayList<>();
    private final Set<String> lostOperations = new HashSet<>();

    /** Who wrote each pool last. */
    private final Map<PoolKey, String> writers = new HashMap<>();

    /** Deleted pools that were not created again, as they were. */
    private final Map<PoolKey, PoolImage> deleted = new HashMap<>();

    private Consumer<FaultWindow> faultObserver = window -> {};
    private long latestEnd = Long.MAX_VALUE;
    private boolean inCapitals;
    private int quotaLeft;
    private long quotaLowUntil;

    public ResourceManager(Timeline timeline, Chance chance, Observer observer) {
        this.timeline = timeline;
        this.chance = chance;
        this.observer = observer;
        ServerTime time = new ServerTime(timeline, chance.forked(1));
        this.cloud = new FakeCloud(time);
        this.api = new ArmApi(
                cloud,
                ArmSettings.DEFAULT
                        .withSubscription(SUBSCRIPTION)
                        .withResourceGroup(GROUP)
                        .withPageSize(2)
                        .withRequestLogSize(0),
                time,
                URI.create(ROOT));
    }

    // --- state ---

    /** Creates a load balancer with a tag whose name has other capitals than in the configuration of the daemons. */
    public void createLoadBalancer(ArmName name, String cluster) {
        cloud.memory().touch(name);
        String tags = "{\"tags\":{\"Cluster\":\"" + cluster + "\"}}";
        ask("PATCH", LOAD_BALANCERS + "/" + name + VERSION, tags.getBytes(StandardCharsets.UTF_8));
    }

    public List<ArmName> loadBalancers() {
        return cloud.memory().loadBalancers().stream()
                .map(loadBalancer -> loadBalancer.name())
                .toList();
    }

    /** All pools, in order. */
    public List<PoolKey> pools() {
        return cloud.memory().pools().stream().map(pool -> pool.key()).toList();
    }

    /** The pools with this name, on all load balancers. */
    public List<PoolKey> places(ArmName pool) {
        return pools().stream().filter(key -> key.pool().equals(pool)).toList();
    }

    /** The addresses in a pool. */
    public AddressSet held(PoolKey key) {
        return cloud.addresses(key).orElse(AddressSet.empty());
    }

    /** The entries of a pool, each address with its name. */
    public Map<IpAddress, String> entries(PoolKey key) {
        Map<IpAddress, String> entries = new TreeMap<>();
        cloud.memory()
                .pool(key)
                .ifPresent(pool -> pool.entries().forEach(entry -> {
                    if (entry.address() != null && entry.json() != null) {
                        entries.put(entry.address(), entry.json().path("name").asText());
                    }
                }));
        return entries;
    }

    /** The body of the list of all load balancers. */
    public String inventory() {
        api.change(settings -> settings.withPageSize(Integer.MAX_VALUE));
        String body =
                new String(ask("GET", LOAD_BALANCERS + VERSION, new byte[0]).body(), StandardCharsets.UTF_8);
        api.change(settings -> settings.withPageSize(2));
        return body;
    }

    // --- other writers ---

    /** Creates a pool that does not exist yet. */
    public void createPool(PoolKey key, Map<IpAddress, String> names) {
        if (cloud.memory().pool(key).isEmpty()) {
            foreignWrite(key, names, 4);
        }
    }

    public void deletePool(PoolKey key) {
        if (cloud.memory().pool(key).isPresent()) {
            operate(key.loadBalancer(), null, "foreign", Duration.ZERO, () -> ask("DELETE", address(key), new byte[0]));
        }
    }

    /**
     * A writer without the lock writes; an operation in progress on the load balancer is superseded.
     *
     * @param names the addresses and the names of their entries
     * @param drainSeconds a field that is not ours
     */
    public void foreignWrite(PoolKey key, Map<IpAddress, String> names, int drainSeconds) {
        write("foreign", key, names, drainSeconds);
    }

    /** Another controller writes one of its own pools. */
    public void write(String writer, PoolKey key, Map<IpAddress, String> names) {
        write(writer, key, names, 4);
    }

    private void write(String writer, PoolKey key, Map<IpAddress, String> names, int drainSeconds) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode properties = body.putObject("properties").put("drainPeriodInSeconds", drainSeconds);
        ArrayNode entries = properties.putArray(PoolImage.ENTRIES);
        names.forEach((address, name) -> {
            ObjectNode entry = entries.addObject().put("name", name).putObject("properties");
            entry.put("ipAddress", address.toString());
            if (address.hashCode() % 3 == 0) { // taken down by an operator
                entry.put("adminState", "Down");
            }
        });
        operate(
                key.loadBalancer(),
                key,
                writer,
                Duration.ZERO,
                () -> ask("PUT", address(key), body.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Whether a write to the pool was accepted and is not over. */
    public boolean isUpdating(PoolKey key) {
        return new String(ask("GET", address(key), new byte[0]).body(), StandardCharsets.UTF_8)
                .contains("\"Updating\"");
    }

    /** Whether the last write to the pool is of this writer, was accepted and is not over. */
    public boolean isUpdatingFor(PoolKey key, String writer) {
        return writer.equals(writers.get(key)) && isUpdating(key);
    }

    private static String address(PoolKey key) {
        return LOAD_BALANCERS + "/" + key.loadBalancer() + "/backendAddressPools/" + key.pool() + VERSION;
    }

    private Whole ask(String method, String address, byte[] body) {
        return answer(new HttpCall(
                method,
                URI.create(address),
                Map.of("authorization", "Bearer foreign", "content-type", "application/json"),
                body));
    }

    private Whole answer(HttpCall call) {
        AtomicReference<AnswerPart> given = new AtomicReference<>();
        Serving unused = api.serve(call, given::set);
        return (Whole) Objects.requireNonNull(given.get());
    }

    /** Performs an action on a load balancer, and reports the pools that changed. */
    private Whole operate(
            ArmName loadBalancer, @Nullable PoolKey written, String writer, Duration length, Supplier<Whole> action) {
        Map<PoolKey, PoolImage> before = images(loadBalancer);
        api.change(settings -> settings.withOperationDuration(length));
        Whole answer = action.get();
        if (written != null && answer.status() < 300) {
            writers.put(written, writer);
        }
        Map<PoolKey, PoolImage> after = images(loadBalancer);
        after.forEach((key, image) -> {
            PoolImage old = before.getOrDefault(key, deleted.remove(key));
            if (old != null && !old.addresses().equals(image.addresses())) {
                boolean meant = written != null && key.equals(written);
                observer.written(old, image, meant ? writer : "an undone operation");
            }
        });
        before.keySet().removeAll(after.keySet());
        deleted.putAll(before);
        return answer;
    }

    private Map<PoolKey, PoolImage> images(ArmName loadBalancer) {
        Map<PoolKey, PoolImage> images = new LinkedHashMap<>();
        String etag = cloud.memory()
                .loadBalancer(loadBalancer)
                .map(found -> found.etag())
                .orElse("");
        cloud.memory().pools(loadBalancer).forEach(pool -> {
            Map<IpAddress, String> entries = new HashMap<>();
            pool.addresses().forEach(address -> entries.put(address, ""));
            images.put(pool.key(), new PoolImage(pool.key(), entries, List.of(), "", etag));
        });
        return images;
    }

    // --- faults ---

    public void fault(FaultWindow window) {
        windows.removeIf(old -> old.untilNanos() <= timeline.now());
        windows.add(window);
        faultObserver.accept(window);
    }

    /** @param listener is called for every fault that starts */
    public void observeFaults(Consumer<FaultWindow> listener) {
        faultObserver = listener;
    }

    /** Operations that start from now on end by this time at the latest. */
    public void endOperationsBy(long nanos) {
        latestEnd = nanos;
    }

    /** Ends all faults. */
    public void heal() {
        windows.clear();
        lostOperations.clear();
        quotaLowUntil = 0;
        latestEnd = Long.MAX_VALUE;
    }

    private @Nullable FaultWindow meets(@Nullable PoolKey pool, ArmFault... faults) {
        for (FaultWindow window : windows) {
            if (window.untilNanos() > timeline.now()
                    && List.of(faults).contains(window.fault())
                    && (window.loadBalancer() == null
                            || pool != null && window.loadBalancer().equals(pool.loadBalancer()))
                    && chance.happens(window.share())) {
                observer.met(window.fault());
                return window;
            }
        }
        return null;
    }

    private boolean isIn(ArmFault fault) {
        return windows.stream().anyMatch(window -> window.fault() == fault && window.untilNanos() > timeline.now());
    }

    /** The latency of a request, in each direction. */
    public long latency() {
        long usual = chance.between(5, 60) * Timeline.MILLIS;
        return isIn(ArmFault.BROWNOUT) ? usual * 50 : usual;
    }

    /** Until then, responses report that so much is left of the quota. */
    public void reportQuota(int left, long untilNanos) {
        quotaLeft = left;
        quotaLowUntil = untilNanos;
    }

    /** Bodies spell ids in capitals from now on. */
    public void spellIdsInCapitals() {
        inCapitals = true;
    }

    // --- requests ---

    /** The service for one client. */
    public HttpService wayOf(String writer) {
        return (call, answer) -> {
            serve(writer, call, part -> answer.accept(asSent(call, part)));
            return Serving.OVER;
        };
    }

    private AnswerPart asSent(HttpCall call, AnswerPart part) {
        AnswerPart spelled = inCapitals ? Capitals.inIds(part) : part;
        if (timeline.now() < quotaLowUntil && spelled instanceof Whole whole) {
            observer.met(ArmFault.QUOTA_LOW);
            return with(whole, QUOTA + (call.method().equals("GET") ? "reads" : "writes"), String.valueOf(quotaLeft));
        }
        return spelled;
    }

    private void serve(String writer, HttpCall call, Consumer<AnswerPart> answer) {
        ArmRequest request = ArmRequest.of(call);
        FaultWindow window = refusal(request);
        if (window != null) {
            refuse(window, call, request, writer, answer);
        } else if (request.purpose() == Purpose.WRITE && request.pool() != null) {
            write(writer, call, request.pool(), answer);
        } else if (lostOperations.contains(request.operation())) {
            answer.accept(error(404, "OperationNotFound"));
        } else if (request.purpose() == Purpose.POLL) {
            answer.accept(polledLater(answer(call)));
        } else {
            answer.accept(answer(call));
        }
    }

    /** Some responses name the time of the next poll. */
    private Whole polledLater(Whole answer) {
        return chance.happens(0.3) ? withRetryAfter(answer, chance.pick("2", "6")) : answer;
    }

    private @Nullable FaultWindow refusal(ArmRequest request) {
        return switch (request.purpose()) {
            case OTHER -> null;
            case LIST ->
                meets(
                        null,
                        ArmFault.LISTING_FAILS,
                        ArmFault.LISTING_EMPTY,
                        ArmFault.BROWNOUT,
                        ArmFault.THROTTLED_READS);
            case POLL -> meets(null, ArmFault.THROTTLED_READS, ArmFault.BROWNOUT, ArmFault.BODY_REPLACED);
            case READ ->
                meets(
                        request.pool(),
                        ArmFault.THROTTLED_READS,
                        ArmFault.SERVER_ERROR,
                        ArmFault.CONNECTION_LOST,
                        ArmFault.FORBIDDEN,
                        ArmFault.UNAUTHORIZED,
                        ArmFault.BROWNOUT,
                        ArmFault.NOT_FOUND,
                        ArmFault.BODY_TRUNCATED,
                        ArmFault.BODY_REPLACED,
                        ArmFault.REQUEST_DOUBLED);
            case WRITE ->
                meets(
                        request.pool(),
                        ArmFault.THROTTLED_WRITES,
                        ArmFault.RETRYABLE_ERROR,
                        ArmFault.SERVER_ERROR,
                        ArmFault.CONNECTION_LOST,
                        ArmFault.FORBIDDEN,
                        ArmFault.WRITES_FORBIDDEN,
                        ArmFault.UNAUTHORIZED,
                        ArmFault.BROWNOUT,
                        ArmFault.NOT_FOUND,
                        ArmFault.BUSY,
                        ArmFault.BODY_TRUNCATED,
                        ArmFault.BODY_REPLACED,
                        ArmFault.REQUEST_DOUBLED);
        };
    }

    private void refuse(
            FaultWindow window, HttpCall call, ArmRequest request, String writer, Consumer<AnswerPart> answer) {
        switch (window.fault()) {
            case THROTTLED_READS, THROTTLED_WRITES -> {
                Whole refusal = withRetryAfter(error(429, "TooManyRequests"), retryAfter(window));
                long late = chance.happens(0.3) ? chance.between(500, 5_000) : 0; // others may be refused meanwhile
                timeline.after(late * Timeline.MILLIS, () -> answer.accept(refusal));
            }
            case RETRYABLE_ERROR ->
                answer.accept(withRetryAfter(error(429, "RetryableErrorDueToAnotherOperation"), "4"));
            case CONNECTION_LOST -> giveUp(answer);
            case FORBIDDEN, WRITES_FORBIDDEN -> answer.accept(error(403, "AuthorizationFailed"));
            case UNAUTHORIZED -> answer.accept(error(401, "ExpiredAuthenticationToken"));
            case NOT_FOUND -> answer.accept(error(404, "NotFound"));
            case BUSY -> answer.accept(error(chance.pick(409, 409, 400), "AnotherOperationInProgress"));
            case LISTING_EMPTY ->
                answer.accept(new Whole(200, JSON, "{\"value\":[]}".getBytes(StandardCharsets.UTF_8)));
            case BODY_TRUNCATED -> answer.accept(truncated(served(call, request, writer)));
            case BODY_REPLACED -> {
                Whole whole = served(call, request, writer);
                answer.accept(new Whole(
                        whole.status(),
                        Map.of("Content-Type", "text/html"),
                        "<html>Our services aren't available right now</html>".getBytes(StandardCharsets.UTF_8)));
            }
            case REQUEST_DOUBLED -> {
                Whole first = served(call, request, writer);
                Whole again = served(call, request, writer);
                answer.accept(chance.happens(0.5) ? first : again);
            }
            default -> {
                Whole error = error(chance.pick(500, 502, 503, 504), "ServerError");
                answer.accept(window.untilNanos() % 2 == 0 ? error : withRetryAfter(error, window.retryAfter()));
            }
        }
    }

    /** What the window names; now and then a second, so that of requests in flight a later response asks for less. */
    private @Nullable String retryAfter(FaultWindow window) {
        return chance.happens(0.3) ? "1" : window.retryAfter();
    }

    private Whole served(HttpCall call, ArmRequest request, String writer) {
        return request.purpose() == Purpose.WRITE && request.pool() != null
                ? accepted(writer, call, request.pool(), usualLength())
                : answer(call);
    }

    private Duration usualLength() {
        return chance.happens(0.4) ? Duration.ZERO : Duration.ofMillis(chance.between(500, 8000));
    }

    private void write(String writer, HttpCall call, PoolKey pool, Consumer<AnswerPart> answer) {
        FaultWindow window = meets(
                pool,
                ArmFault.ERROR_AFTER_EFFECT,
                ArmFault.SILENCE_AFTER_EFFECT,
                ArmFault.OPERATION_FAILED,
                ArmFault.OPERATION_SUPERSEDED,
                ArmFault.OPERATION_SLOW,
                ArmFault.OPERATION_LOST,
                ArmFault.LOCATION_LOST);
        Duration length = usualLength();
        if (window == null) {
            answer.accept(accepted(writer, call, pool, length));
            return;
        }
        switch (window.fault()) {
            case ERROR_AFTER_EFFECT -> {
                Whole unseen = accepted(writer, call, pool, Duration.ZERO);
                answer.accept(error(unseen.status() < 300 ? 500 : unseen.status(), "InternalServerError"));
            }
            case SILENCE_AFTER_EFFECT -> {
                accepted(writer, call, pool, Duration.ZERO);
                giveUp(answer);
            }
            case OPERATION_FAILED -> answer.accept(ending(HttpsFault.Ending.FAILED, writer, call, pool, length));
            case OPERATION_SUPERSEDED -> answer.accept(ending(HttpsFault.Ending.CANCELED, writer, call, pool, length));
            case OPERATION_SLOW -> {
                Duration slow = Duration.ofSeconds(chance.between(100, 600));
                answer.accept(accepted(writer, call, pool, slow));
            }
            case OPERATION_LOST -> {
                Whole whole = accepted(writer, call, pool, length);
                String address = whole.headers().get(OPERATION);
                if (address != null) {
                    lostOperations.add(ArmRequest.of(new HttpCall("GET", URI.create(address), Map.of(), new byte[0]))
                            .operation());
                }
                answer.accept(whole);
            }
            default -> {
                Whole whole = accepted(writer, call, pool, length);
                Map<String, String> headers = new HashMap<>(whole.headers());
                headers.remove(OPERATION);
                if (chance.happens(0.5)) {
                    headers.remove("Location");
                }
                answer.accept(new Whole(whole.status(), headers, whole.body()));
            }
        }
    }

    private Whole accepted(String writer, HttpCall call, PoolKey pool, Duration length) {
        long most = Math.max(0, latestEnd - timeline.now());
        Duration bounded = length.toNanos() > most ? Duration.ofNanos(most) : length;
        return polledLater(operate(pool.loadBalancer(), pool, writer, bounded, () -> answer(call)));
    }

    private Whole ending(HttpsFault.Ending how, String writer, HttpCall call, PoolKey pool, Duration length) {
        cloud.faults()
                .add(FaultRule.always(HttpsFault.NONE.operation(how))
                        .forMethod("PUT")
                        .times(1));
        try {
            return accepted(writer, call, pool, length);
        } finally {
            cloud.faults().clear();
        }
    }

    private void giveUp(Consumer<AnswerPart> answer) {
        timeline.after(GIVEN_UP, () -> answer.accept(new Dropped()));
    }

    private static Whole truncated(Whole whole) {
        byte[] half = Arrays.copyOf(whole.body(), whole.body().length / 2);
        return new Whole(whole.status(), whole.headers(), half, whole.body().length);
    }

    private static Whole error(int status, String code) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("error").put("code", code).put("message", "A fault of the simulation.");
        return new Whole(status, JSON, body.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Whole withRetryAfter(Whole answer, @Nullable String retryAfter) {
        return retryAfter == null ? answer : with(answer, "Retry-After", retryAfter);
    }

    private static Whole with(Whole answer, String header, String value) {
        Map<String, String> headers = new HashMap<>(answer.headers());
        headers.put(header, value);
        return new Whole(answer.status(), headers, answer.body(), answer.announced());
    }
}
