package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.wire.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection to ARM with its planted bugs; transparent without any. */
final class FlawedArmWay implements Way {

    private static final Logger log = LoggerFactory.getLogger(FlawedArmWay.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Way way;
    private final DaemonFlaws flaws;

    FlawedArmWay(Way way, DaemonFlaws flaws) {
        this.way = way;
        this.flaws = flaws;
    }

    @Override
    public Sent send(HttpCall call, Consumer<AnswerPart> receiver) {
        if (flaws.has(Flaw.LOGS_HEADERS)) {
            return way.send(call, part -> {
                if (part instanceof Whole whole && whole.status() == 401) {
                    log.atWarn().addKeyValue("headers", call.headers()).log("Azure refused a request");
                }
                receiver.accept(part);
            });
        }
        if (flaws.has(Flaw.IGNORES_QUOTA)) {
            return way.send(call, part -> receiver.accept(without("x-ms-ratelimit-remaining", part)));
        }
        boolean deaf = flaws.has(Flaw.IGNORES_THROTTLING) || flaws.has(Flaw.RETRIES_FOR_EVER);
        return way.send(flawed(call), deaf ? part -> receiver.accept(withoutRetryAfter(part)) : receiver);
    }

    private HttpCall flawed(HttpCall call) {
        if (!call.method().equals("PUT")) {
            return call;
        }
        Map<String, String> headers = new HashMap<>(call.headers());
        if (flaws.has(Flaw.WRITES_UNCONDITIONALLY)) {
            headers.remove("if-match");
        }
        String address = call.uri().toString();
        return new HttpCall(
                call.method(),
                flaws.has(Flaw.STRAYS) ? URI.create(address.replace("/lb-", "/east-lb-")) : call.uri(),
                headers,
                flaws.has(Flaw.FORGETS_ENTRIES) ? withNewNames(call.body()) : call.body());
    }

    private static byte[] withNewNames(byte[] body) {
        try {
            JsonNode pool = JSON.readTree(body);
            int number = 0;
            for (JsonNode entry : pool.path("properties").path("loadBalancerBackendAddresses")) {
                ((ObjectNode) entry).put("name", "entry-" + number++);
            }
            return JSON.writeValueAsBytes(pool);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static AnswerPart withoutRetryAfter(AnswerPart part) {
        return part instanceof Whole whole && whole.status() == 429 ? without("Retry-After", part) : part;
    }

    private static AnswerPart without(String header, AnswerPart part) {
        if (part instanceof Whole whole) {
            Map<String, String> headers = new HashMap<>(whole.headers());
            headers.keySet().removeIf(name -> name.startsWith(header));
            return new Whole(whole.status(), headers, whole.body(), whole.announced());
        }
        return part;
    }
}
