package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Handles requests. Thread-safe. */
final class RequestHandler {

    private static final int REQUESTS_KEPT = 100_000;

    private final ObjectStore store;
    private final Resources resources;
    private final KubeFaults faults;
    private final KubeSettings settings;
    private final OpenWatches openWatches;
    private final ObjectRequests objects;
    private final ListRequests lists;
    private final Reviews reviews;
    private final Tables tables;
    private final Deque<RecordedRequest> requests = new ArrayDeque<>();

    RequestHandler(
            ObjectStore store, Resources resources, KubeFaults faults, KubeSettings settings, OpenWatches openWatches) {
        this.store = store;
        this.resources = resources;
        this.faults = faults;
        this.settings = settings;
        this.openWatches = openWatches;
        this.objects = new ObjectRequests(store);
        this.lists = new ListRequests(store);
        this.reviews = new Reviews(faults);
        this.tables = new Tables(settings.time());
    }

    List<RecordedRequest> requests() {
        synchronized (requests) {
            return List.copyOf(requests);
        }
    }

    private void record(RecordedRequest request) {
        synchronized (requests) {
            requests.addLast(request);
            if (requests.size() > REQUESTS_KEPT) {
                requests.removeFirst();
            }
        }
    }

    private interface Step {
        Serving run() throws ApiException;
    }

    Serving serve(KubeCall call) {
        if (faults.isUnreachable()) {
            call.drop();
            return Serving.OVER;
        }
        return orError(call, () -> begin(call));
    }

    private static Serving orError(KubeCall call, Step step) {
        try {
            return step.run();
        } catch (ApiException e) {
            call.send(e.code(), e.status());
        } catch (NumberFormatException e) {
            call.send(400, new ApiException(400, "BadRequest", "not a number: " + e.getMessage()).status());
        }
        return Serving.OVER;
    }

    private Serving begin(KubeCall call) throws ApiException {
        if (Discovery.isHealth(call.path())) {
            call.sendText("ok");
            return Serving.OVER;
        }
        String user = user(call);
        Optional<KubePath> found = KubePath.parse(call.path(), resources);
        if (found.isEmpty()) {
            call.send(
                    200,
                    Discovery.answer(call.path(), resources)
                            .orElseThrow(() -> new ApiException(
                                    404, "NotFound", "the server could not find the requested resource")));
            return Serving.OVER;
        }
        KubePath path = found.get();
        RecordedRequest request = RecordedRequest.of(call.verb(path), path, user);
        record(request);
        return HeldRequest.whenFree(
                store,
                () -> faults.isHeld(request) && !faults.isUnreachable(),
                () -> orError(call, () -> serve(call, path, request)));
    }

    private String user(KubeCall call) throws ApiException {
        if (settings.tokens().isEmpty()) {
            return RecordedRequest.UNSECURED;
        }
        String user = settings.tokens().get(call.bearerToken());
        if (user == null) {
            throw new ApiException(401, "Unauthorized", "Unauthorized");
        }
        return user;
    }

    private Serving serve(KubeCall call, KubePath path, RecordedRequest request) throws ApiException {
        if (faults.isCut(request)) {
            call.drop();
            return Serving.OVER;
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
            return watch(call, path, request);
        }
        ObjectNode answer = answered(call, path, request);
        if (faults.isUnanswered(request)) {
            call.drop();
        } else {
            boolean table = call.wantsTable() && List.of("get", "list").contains(request.verb());
            call.send(
                    request.verb().equals("create") ? 201 : 200,
                    table ? tables.of(path.resource(), answer, call.query()) : answer);
        }
        return Serving.OVER;
    }

    private ObjectNode answered(KubeCall call, KubePath path, RecordedRequest request) throws ApiException {
        boolean review = path.resource().isReview();
        if (review && !request.verb().equals("create")) {
            throw notAllowed();
        }
        if (call.query().containsKey("dryRun")) {
            throw new ApiException(400, "BadRequest", "the emulator does not support dry run");
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
            case "delete" -> objects.delete(path, call.options());
            default -> throw notAllowed();
        };
    }

    private static ApiException notAllowed() {
        return new ApiException(405, "MethodNotAllowed", "the server does not allow this method on the resource");
    }

    private Serving watch(KubeCall call, KubePath path, RecordedRequest request) throws ApiException {
        if (path.resource().isReview()) {
            throw notAllowed();
        }
        if (faults.refusesWatchLists() && call.query().containsKey("sendInitialEvents")) {
            throw new ApiException(
                    422,
                    "Invalid",
                    "ListOptions.meta.k8s.io \"\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is"
                            + " forbidden for watch unless the WatchList feature gate is enabled");
        }
        WatchRequest watch = new WatchRequest(
                store,
                faults,
                settings,
                request,
                path,
                call,
                call.wantsTable() ? object -> tables.of(path.resource(), object, call.query()) : object -> object,
                openWatches);
        if (watch.isGone() && faults.isGoneAStatus()) {
            throw ApiException.expired("too old resource version");
        }
        watch.start();
        return watch;
    }
}
