package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** From an HTTP exchange to an answer. Outlives restarts of the server; thread-safe. */
final class RequestHandler {

    private static final long LONGEST_WAIT_MILLIS = 1_000;

    private final ObjectStore store;
    private final KubeFaults faults;
    private final KubeSettings settings;
    private final ObjectRequests objects;
    private final ListRequests lists;
    private final Reviews reviews;
    private final Tables tables;
    private final List<RecordedRequest> requests = new CopyOnWriteArrayList<>();
    private final AtomicLong bookmarks = new AtomicLong();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong openWatches = new AtomicLong();

    RequestHandler(ObjectStore store, KubeFaults faults, KubeSettings settings) {
        this.store = store;
        this.faults = faults;
        this.settings = settings;
        this.objects = new ObjectRequests(store);
        this.lists = new ListRequests(store);
        this.reviews = new Reviews(faults);
        this.tables = new Tables(settings.clock());
    }

    List<RecordedRequest> requests() {
        return requests;
    }

    AtomicLong bookmarks() {
        return bookmarks;
    }

    /** Counts the times when all open watches were cut. */
    AtomicLong cuts() {
        return cuts;
    }

    /** How many watches are open. */
    long openWatches() {
        return openWatches.get();
    }

    void handle(HttpExchange exchange) {
        try (exchange) {
            if (!faults.isUnreachable()) {
                answer(new Call(exchange));
            }
        } catch (IOException e) {
            // the client went away; there is nobody to tell
            exchange.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server stops
        }
    }

    private void answer(Call call) throws IOException, InterruptedException {
        try {
            if (Discovery.isHealth(call.path())) {
                call.sendText("ok");
                return;
            }
            String user = user(call);
            Optional<ObjectNode> discovery = Discovery.answer(call.path());
            if (discovery.isPresent()) {
                call.send(200, discovery.get());
                return;
            }
            KubePath path = KubePath.parse(call.path())
                    .orElseThrow(() ->
                            new ApiException(404, "NotFound", "the server could not find the requested resource"));
            serve(call, path, RecordedRequest.of(call.verb(path), path, user));
        } catch (ApiException e) {
            call.send(e.code(), e.status());
        } catch (NumberFormatException e) {
            call.send(400, new ApiException(400, "BadRequest", "not a number: " + e.getMessage()).status());
        }
    }

    private String user(Call call) throws ApiException {
        if (settings.tokens().isEmpty()) {
            return RecordedRequest.UNSECURED;
        }
        String user = settings.tokens().get(call.bearerToken());
        if (user == null) {
            throw new ApiException(401, "Unauthorized", "Unauthorized");
        }
        return user;
    }

    private void serve(Call call, KubePath path, RecordedRequest request)
            throws ApiException, IOException, InterruptedException {
        requests.add(request);
        while (faults.isHeld(request) && !faults.isUnreachable()) {
            long signals = store.signals();
            if (faults.isHeld(request)) {
                store.await(store.version(), signals, LONGEST_WAIT_MILLIS);
            }
        }
        if (faults.isCut(request)) {
            return;
        }
        if (faults.isDenied(request)) {
            throw new ApiException(403, "Forbidden", request.forbidden());
        }
        Optional<Integer> fault = faults.statusFor(request);
        if (fault.isPresent()) {
            String reason = fault.get() == 403 ? "Forbidden" : "InternalError";
            throw new ApiException(fault.get(), reason, "refused by a fault of the emulator: " + request);
        }
        if (request.verb().equals("watch")) {
            watch(call, path, request);
            return;
        }
        ObjectNode answer = answered(call, path, request);
        if (!faults.isUnanswered(request)) {
            boolean table = call.wantsTable() && List.of("get", "list").contains(request.verb());
            call.send(
                    request.verb().equals("create") ? 201 : 200,
                    table ? tables.of(path.resource(), answer, call.query()) : answer);
        }
    }

    private ObjectNode answered(Call call, KubePath path, RecordedRequest request) throws ApiException {
        boolean review = path.resource().isReview();
        if (review && !request.verb().equals("create")) {
            throw notAllowed();
        }
        if (call.query().containsKey("dryRun")) {
            throw new ApiException(400, "BadRequest", "the emulator has no dry run");
        }
        return switch (request.verb()) {
            case "get" -> objects.get(path);
            case "list" -> lists.list(path, call.query());
            case "create" ->
                review
                        ? reviews.answer(path.resource(), call.body(), request.user())
                        : objects.create(path, call.body());
            case "update" -> objects.update(path, call.body());
            case "patch" -> objects.patch(path, Patch.of(call, path.resource()));
            case "delete" -> objects.delete(path);
            default -> throw notAllowed();
        };
    }

    private static ApiException notAllowed() {
        return new ApiException(405, "MethodNotAllowed", "the server does not allow this method on the resource");
    }

    private void watch(Call call, KubePath path, RecordedRequest request)
            throws IOException, ApiException, InterruptedException {
        if (path.resource().isReview()) {
            throw notAllowed();
        }
        WatchRequest watch = new WatchRequest(store, faults, settings, request, path, call.query(), bookmarks.get());
        if (watch.isGone() && faults.isGoneAStatus()) {
            throw ApiException.expired("too old resource version");
        }
        WatchRequest.Form form =
                call.wantsTable() ? object -> tables.of(path.resource(), object, call.query()) : object -> object;
        OutputStream out = call.stream();
        long before = cuts.get();
        openWatches.incrementAndGet();
        try {
            watch.run(out, form, () -> cuts.get() != before || faults.isCut(request), bookmarks::get);
        } finally {
            openWatches.decrementAndGet();
        }
        out.close();
    }
}
