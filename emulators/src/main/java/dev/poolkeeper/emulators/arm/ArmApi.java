package dev.poolkeeper.emulators.arm;

import dev.poolkeeper.emulators.arm.ArmService.Served;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import dev.poolkeeper.fake.cloud.FakeCloud;
import dev.poolkeeper.fake.cloud.HttpsFault;
import dev.poolkeeper.ports.Time;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Azure Resource Manager for load balancers and their backend pools, without a socket: backed by the state, the faults
 * and the clock of a {@link FakeCloud}. {@link ArmEmulator} serves it over HTTPS. Thread-safe.
 */
public final class ArmApi implements HttpService {

    private static final System.Logger LOG = System.getLogger(ArmApi.class.getName());

    private static final List<String> REQUEST_HEADERS = List.of(
            "host", "if-match", "if-none-match", "user-agent", "x-ms-client-request-id", "traceparent", "tracestate");
    private static final List<String> ANSWER_HEADERS = List.of("etag", "retry-after", "x-ms-correlation-request-id");

    private final FakeCloud cloud;
    private final ArmService service;
    private final Time time;
    private final String base;
    private final RequestLog log = new RequestLog();
    private ArmSettings settings;

    /**
     * @param time times the delays of faults and measures response times; operations, quotas and tokens use the cloud's
     *     clock
     * @param base scheme, host and port for links to clients whose {@code Host} is not a loopback address
     */
    public ArmApi(FakeCloud cloud, ArmSettings settings, Time time, URI base) {
        this.cloud = cloud;
        this.settings = settings;
        this.time = time;
        this.base = base.toString();
        this.service = new ArmService(cloud, settings);
    }

    @Override
    public Serving serve(HttpCall request, Consumer<AnswerPart> answer) {
        long began = time.nanoTime();
        Instant at = cloud.clock().instant();
        Served served = served(request);
        HttpsFault fault =
                served.rule() == null ? HttpsFault.NONE : served.rule().https();
        Runnable give = () -> {
            Map<String, String> headers =
                    AnswerHeaders.of(request, served.handled().answer(), service);
            Duration took = Duration.ofNanos(time.nanoTime() - began);
            // before the response is sent, so that its receiver finds the request in the log
            log(logged(request, headers, at, served, fault, took));
            answer.accept(fault.drop() == null ? whole(headers, served.handled().answer(), fault) : new Dropped());
        };
        if (fault.delay().isPositive()) {
            return time.schedule(fault.delay(), give)::cancel;
        }
        give.run();
        return Serving.OVER;
    }

    private Served served(HttpCall request) {
        if (request.isTooLarge()) {
            return refused(Errors.gateway(
                    413, "RequestContentTooLarge", "The request content size exceeds the maximum size of 16 MB."));
        }
        ReceivedCall call = new ReceivedCall(
                request, Query.parse(request.uri().getRawQuery()), Query.base(request.header("Host"), base));
        try {
            return service.serve(call);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the emulator failed on " + request, e);
            return refused(Errors.error(500, "InternalServerError", "Encountered internal server error."));
        }
    }

    private static Served refused(SentAnswer answer) {
        return new Served(Handled.of(answer), Subject.NONE, null);
    }

    private static Whole whole(Map<String, String> headers, SentAnswer answer, HttpsFault fault) {
        byte[] body = answer.body() == null ? new byte[0] : ArmJson.bytes(answer.body());
        BodyFaults.Sent sent = BodyFaults.apply(fault.body(), body);
        if (sent.contentType() != null) {
            headers.put("Content-Type", sent.contentType());
        }
        return new Whole(answer.status(), headers, sent.bytes(), sent.announced());
    }

    private void log(AnsweredRequest request) {
        ArmSettings current = service.state().settings;
        log.add(request, current.requestLogSize);
        current.onRequest.accept(request);
    }

    private static AnsweredRequest logged(
            HttpCall request, Map<String, String> sent, Instant at, Served served, HttpsFault fault, Duration took) {
        Map<String, String> headers = new HashMap<>();
        REQUEST_HEADERS.forEach(name -> keep(headers, name, request.header(name)));
        ANSWER_HEADERS.forEach(name -> keep(headers, name, sent.get(name)));
        return new AnsweredRequest(
                at,
                request.method(),
                request.uri().getRawPath(),
                served.subject().loadBalancer(),
                served.subject().pool(),
                fault.drop() == null ? served.handled().answer().status() : 0,
                headers,
                served.subject().operation(),
                took);
    }

    private static void keep(Map<String, String> headers, String name, @Nullable String value) {
        if (value != null) {
            headers.put(name, value);
        }
    }

    public String subscription() {
        return service.state().home.subscription();
    }

    public String resourceGroup() {
        return service.state().home.resourceGroup();
    }

    /** The cloud that backs it. */
    public FakeCloud cloud() {
        return cloud;
    }

    /** The latest requests, oldest first; the settings limit their number. */
    public List<AnsweredRequest> requests() {
        return log.all();
    }

    public void clearRequests() {
        log.clear();
    }

    /** The latest 20,000 long-running operations, oldest first. */
    public List<ArmOperation> operations() {
        return service.operations();
    }

    /** Changes the settings. Subscription and resource group stay the same. */
    public synchronized void change(UnaryOperator<ArmSettings> change) {
        settings = change.apply(settings);
        service.use(settings);
    }
}
