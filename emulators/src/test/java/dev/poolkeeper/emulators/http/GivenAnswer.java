package dev.poolkeeper.emulators.http;

import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.End;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Head;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The response of a service to one request so far. */
public final class GivenAnswer implements Consumer<AnswerPart> {

    private final List<AnswerPart> parts = new ArrayList<>();
    private HttpService.Serving serving = HttpService.Serving.OVER;

    /** Sends a request to a service; the response may not be complete when this returns. */
    public static GivenAnswer to(HttpService service, String method, String target, String body) {
        return to(service, method, target, Map.of("authorization", "Bearer some"), body);
    }

    public static GivenAnswer to(
            HttpService service, String method, String target, Map<String, String> headers, String body) {
        GivenAnswer answer = new GivenAnswer();
        HttpCall call = new HttpCall(method, URI.create(target), headers, body.getBytes(StandardCharsets.UTF_8));
        answer.serving = service.serve(call, answer);
        return answer;
    }

    @Override
    public void accept(AnswerPart part) {
        parts.add(part);
    }

    /** As if the client had closed its connection. */
    public void abandon() {
        serving.abandon();
    }

    public boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Whether the last part was given. */
    public boolean isOver() {
        return !parts.isEmpty()
                && switch (parts.getLast()) {
                    case Whole whole -> true;
                    case End() -> true;
                    case Dropped() -> true;
                    case Head head -> false;
                    case Frame frame -> false;
                };
    }

    public boolean isDropped() {
        return isOver() && parts.getLast() instanceof Dropped;
    }

    /** 0 before there is one. */
    public int status() {
        return parts.isEmpty()
                ? 0
                : switch (parts.getFirst()) {
                    case Whole whole -> whole.status();
                    case Head head -> head.status();
                    default -> 0;
                };
    }

    public String body() {
        return parts.getFirst() instanceof Whole whole ? new String(whole.body(), StandardCharsets.UTF_8) : "";
    }

    /** Takes the frames so far, as text without the line ends. */
    public List<String> takeFrames() {
        List<String> frames = new ArrayList<>();
        parts.removeIf(part -> part instanceof Frame frame
                && frames.add(new String(frame.bytes(), StandardCharsets.UTF_8).stripTrailing()));
        return frames;
    }
}
