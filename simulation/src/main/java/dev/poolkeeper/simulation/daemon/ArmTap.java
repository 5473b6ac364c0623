package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.retry.RequestHead;
import dev.poolkeeper.simulation.arm.ArmRequest;
import dev.poolkeeper.simulation.arm.PoolImage;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.wire.Json;
import dev.poolkeeper.simulation.wire.Tap;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Interprets a daemon's traffic with Azure from bytes and headers alone. Only the end of a call is reported to it by
 * other code.
 */
final class ArmTap implements Tap {

    private static final String QUOTA = "x-ms-ratelimit-remaining-";
    private static final int TOO_MANY_REQUESTS = 429;

    /** The final states of an operation (ARM, "Track asynchronous Azure operations"). */
    private static final Set<String> ENDS = Set.of("Succeeded", "Failed", "Canceled");

    private final SimulatedDaemon daemon;
    private final Map<PoolKey, Call> calls = new HashMap<>();
    private final Map<PoolKey, PoolImage> lastRead = new HashMap<>();

    /** How often in a row the poll in progress of each path has failed. */
    private final Map<String, Integer> failedPolls = new HashMap<>();

    /** The paths of operations that ARM has reported as ended. */
    private final Set<String> ended = new HashSet<>();

    private final Map<PoolKey, AddressSet> listed = new LinkedHashMap<>();
    private long listingBegan;

    /** When the first page was first requested since the last complete listing; -1 if it was not. */
    private long listingAsked = -1;

    /** How long ARM asked to wait until the next poll of each path. */
    private final Map<String, Wait> waits = new HashMap<>();

    private final Set<HttpCall> polls = Collections.newSetFromMap(new IdentityHashMap<>());

    /**
     * A wait that ARM asked for.
     *
     * @param until when it ends, by the daemon's clock
     * @param since when it was asked for
     */
    private record Wait(Instant until, long since) {}

    /** A call to the adapter, as derived from its requests. */
    private static final class Call {
        final boolean write;
        int attempts;

        Call(boolean write) {
            this.write = write;
        }
    }

    ArmTap(SimulatedDaemon daemon) {
        this.daemon = daemon;
    }

    void callBegins(PoolKey pool, boolean write) {
        calls.put(pool, new Call(write));
    }

    void callEnds(PoolKey pool) {
        calls.remove(pool);
    }

    /** A request that is sent for the first time: a poll that a closed gate ended is no retry of the one before it. */
    void requestBegins(RequestHead request) {
        failedPolls.remove(request.path());
        if (request.path().endsWith("/loadBalancers") && !request.query().contains("skip")) {
            listingBegan = now();
        }
    }

    private Purpose purpose(ArmRequest request) {
        Call call = request.pool() == null ? null : calls.get(request.pool());
        boolean isLook = request.purpose() == Purpose.READ && call != null && call.write;
        return isLook ? Purpose.POLL : request.purpose();
    }

    @Override
    public void sent(HttpCall call) {
        ArmRequest request = ArmRequest.of(call);
        Purpose purpose = purpose(request);
        PoolKey pool = request.pool();
        int attempt = 0;
        if (purpose == Purpose.POLL) {
            if (ended.contains(call.uri().getRawPath())) {
                daemon.observed(new Observation.PolledAgain(daemon, request.operation()));
            }
            Wait wait = waits.remove(call.uri().getRawPath());
            if (wait != null) {
                daemon.observed(new Observation.Polled(daemon, request.operation(), wait.until(), wait.since()));
            }
            polls.add(call);
            attempt = failedPolls.getOrDefault(call.uri().getRawPath(), 0);
        } else if (pool != null && calls.get(pool) != null) {
            attempt = calls.get(pool).attempts++;
        }
        if (purpose == Purpose.LIST && isFirstPage(call)) {
            listingAsked = listingAsked < 0 ? now() : listingAsked;
        }
        if (purpose != Purpose.OTHER) {
            daemon.observed(new Observation.Sent(daemon, purpose, pool, attempt));
        }
        if (purpose == Purpose.WRITE && pool != null && attempt == 0) {
            PoolImage.of(pool, call.body())
                    .ifPresent(wanted -> daemon.observed(new Observation.Put(
                            daemon,
                            lastRead.getOrDefault(pool, new PoolImage(pool, Map.of(), List.of(), "never read", null)),
                            wanted,
                            call.header("If-Match"))));
        }
    }

    @Override
    public void received(HttpCall call, AnswerPart part) {
        ArmRequest request = ArmRequest.of(call);
        Purpose purpose = polls.remove(call) ? Purpose.POLL : request.purpose();
        int status = part instanceof Whole whole ? whole.status() : 0;
        if (part instanceof Whole whole) {
            boolean isCut = whole.announced() > whole.body().length;
            whole.headers().forEach((name, value) -> {
                if (name.startsWith(QUOTA)) {
                    daemon.observed(new Observation.QuotaLeft(daemon, name, Long.parseLong(value), isCut));
                }
            });
        }
        if (purpose == Purpose.OTHER) {
            return;
        }
        daemon.observed(new Observation.Answered(daemon, purpose, request.pool(), status));
        if (purpose == Purpose.POLL) {
            boolean failed = status == 0 || status >= 500;
            failedPolls.compute(
                    call.uri().getRawPath(), (path, times) -> !failed ? null : times == null ? 1 : times + 1);
        }
        if (part instanceof Whole whole) {
            received(call, request, purpose, whole);
        }
    }

    private void received(HttpCall call, ArmRequest request, Purpose purpose, Whole answer) {
        PoolKey pool = request.pool();
        if (purpose == Purpose.POLL || purpose == Purpose.WRITE && answer.status() < 300 && !hasSettled(answer)) {
            pollWaits(call, purpose, answer);
        }
        if (answer.status() == TOO_MANY_REQUESTS) {
            boolean ofOneLoadBalancer =
                    new String(answer.body(), StandardCharsets.UTF_8).contains("DueToAnotherOperation");
            Optional<Instant> until = named(header(answer, "Retry-After"));
            if (!ofOneLoadBalancer && until.isPresent()) {
                daemon.observed(new Observation.Shut(daemon, purpose == Purpose.WRITE, until.get()));
            } else if (purpose == Purpose.WRITE && pool != null && until.isPresent()) {
                daemon.observed(new Observation.Busy(daemon, pool.loadBalancer(), until.get()));
            }
        } else if (answer.status() >= 500 && pool != null) {
            named(header(answer, "Retry-After"))
                    .ifPresent(until -> daemon.observed(new Observation.RepeatableFrom(daemon, purpose, pool, until)));
        } else if (call.method().equals("GET") && pool != null && answer.status() == 200) {
            if (answer.announced() == answer.body().length) {
                PoolImage.of(pool, answer.body()).ifPresent(image -> {
                    lastRead.put(pool, image);
                    daemon.seen().shown(pool, image.addresses());
                    daemon.seen().isInForce(pool, hasSettled(answer));
                });
            }
        } else if (purpose == Purpose.WRITE && pool != null && answer.status() <= 201) {
            if (hasSettled(answer)) {
                PoolImage.of(pool, answer.body())
                        .ifPresent(image -> daemon.seen().shown(pool, image.addresses()));
            }
            daemon.seen().isInForce(pool, hasSettled(answer));
        } else if (purpose == Purpose.LIST) {
            listed(call, answer);
        } else if (purpose == Purpose.POLL && ENDS.contains(status(answer))) {
            ended.add(call.uri().getRawPath());
        }
    }

    /** The next poll of this operation has to wait if this response asks for it. */
    private void pollWaits(HttpCall call, Purpose purpose, Whole answer) {
        String place = call.uri().getRawPath();
        if (purpose == Purpose.WRITE) {
            waits.remove(place);
            place = Stream.of(header(answer, "Azure-AsyncOperation"), header(answer, "Location"))
                    .filter(Objects::nonNull)
                    .map(address -> URI.create(address).getRawPath())
                    .findFirst()
                    .orElse(place);
        }
        Optional<Instant> until = named(header(answer, "Retry-After"));
        if (until.isPresent()) {
            waits.put(place, new Wait(until.get(), now()));
        }
    }

    private long now() {
        return daemon.process().timeline().now();
    }

    /** The status of an operation; empty if the body contains none. */
    private static String status(Whole answer) {
        try {
            return Json.MAPPER.readTree(answer.body()).path("status").asText();
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean hasSettled(Whole answer) {
        try {
            return hasSettled(Json.MAPPER.readTree(answer.body()));
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean hasSettled(JsonNode pool) {
        return pool.path("properties").path("provisioningState").asText().equals("Succeeded");
    }

    private static boolean isFirstPage(HttpCall call) {
        return !String.valueOf(call.uri().getQuery()).contains("skip");
    }

    private static @Nullable String header(Whole answer, String name) {
        return answer.headers().entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }

    /** The instant in a header, by the daemon's clock; empty if it contains no valid one. */
    private Optional<Instant> named(@Nullable String header) {
        Instant now = daemon.clock().instant();
        if (header == null) {
            return Optional.empty();
        }
        if (header.matches("[0-9]{1,5}")) {
            return Optional.of(now.plusSeconds(Integer.parseInt(header)));
        }
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header, Instant::from))
                    .filter(date -> date.isBefore(now.plusSeconds(86_400)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private void listed(HttpCall call, Whole answer) {
        JsonNode body;
        try {
            body = Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            return;
        }
        if (answer.status() != 200 || !body.path("value").isArray()) {
            return;
        }
        if (isFirstPage(call)) {
            listed.clear();
        }
        for (JsonNode loadBalancer : body.path("value")) {
            for (JsonNode pool : loadBalancer.path("properties").path("backendAddressPools")) {
                PoolKey key = PoolKey.of(
                        loadBalancer.path("name").asText(), pool.path("name").asText());
                PoolImage.addresses(pool).ifPresent(addresses -> listed.put(key, addresses));
                daemon.seen().isInForce(key, hasSettled(pool));
            }
        }
        if (body.path("nextLink").asText("").isEmpty()) {
            daemon.knowledge().located(List.copyOf(listed.keySet()));
            daemon.seen().listed(listed, listingBegan, listingAsked);
            listingAsked = -1;
        }
    }
}
