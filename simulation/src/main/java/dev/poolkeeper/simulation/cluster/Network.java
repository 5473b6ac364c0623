package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import dev.poolkeeper.simulation.wire.Conditions;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One machine's connection to the API server, with its faults. Times are in milliseconds unless noted. */
public final class Network implements Conditions {

    /** The usual latency. */
    private static final int USUAL = 5;

    private final Chance chance;
    private final Map<Kind, Integer> lags = new EnumMap<>(Kind.class);
    private boolean cut;
    private double duplicates;
    private double losesAnswers;
    private int latency = USUAL;

    public Network(Chance chance) {
        this.chance = chance;
    }

    /** While cut, no traffic passes. */
    public void cut(boolean now) {
        cut = now;
    }

    @Override
    public boolean isCut() {
        return cut;
    }

    /** The maximum delay of events of this kind; 0 for none. */
    public void lag(Kind kind, int most) {
        lags.put(kind, most);
    }

    /** The share of events that are sent twice, or again after a later one. */
    public void duplicate(double share) {
        duplicates = share;
    }

    /** The share of responses to Lease writes that are lost after the write took effect. */
    public void loseAnswers(double share) {
        losesAnswers = share;
    }

    /** The maximum latency of a request, in each direction. */
    public void latency(int most) {
        latency = most;
    }

    @Override
    public long requestNanos(HttpCall call) {
        return chance.between(1, latency) * Timeline.MILLIS;
    }

    @Override
    public long answerNanos(HttpCall call, AnswerPart part) {
        if (!(part instanceof Frame)) {
            return chance.between(1, latency) * Timeline.MILLIS;
        }
        int most = Kind.at(call.uri().getPath()).map(lags::get).orElse(0);
        long usual = chance.between(1, 30);
        return (most == 0 ? usual : usual + chance.between(most / 2, most)) * Timeline.MILLIS;
    }

    /** Whether it has no fault. */
    public boolean isCalm() {
        return !cut
                && duplicates == 0
                && losesAnswers == 0
                && latency == USUAL
                && lags.values().stream().allMatch(lag -> lag == 0);
    }

    /** Ends all faults. */
    public void heal() {
        lags.clear();
        cut = false;
        duplicates = 0;
        losesAnswers = 0;
        latency = USUAL;
    }

    /** The server as accessed by this machine. */
    public HttpService wayTo(HttpService server) {
        return (call, answer) -> serve(server, call, answer);
    }

    private Serving serve(HttpService server, HttpCall call, Consumer<AnswerPart> answer) {
        boolean isLeaseWrite =
                !call.method().equals("GET") && call.uri().getPath().contains("/leases");
        if (isLeaseWrite && losesAnswers > 0 && chance.happens(losesAnswers)) {
            return server.serve(call, lost -> {});
        }
        return server.serve(call, Kind.at(call.uri().getPath()).isPresent() ? new Repeating(answer) : answer);
    }

    /** Sends some events twice, or repeats an earlier one. */
    private final class Repeating implements Consumer<AnswerPart> {

        private final Consumer<AnswerPart> answer;
        private @Nullable AnswerPart before;

        Repeating(Consumer<AnswerPart> answer) {
            this.answer = answer;
        }

        @Override
        public void accept(AnswerPart part) {
            answer.accept(part);
            if (part instanceof Frame && !isMark(part)) {
                if (duplicates > 0 && chance.happens(duplicates)) {
                    AnswerPart earlier = before;
                    answer.accept(earlier == null || chance.happens(0.5) ? part : earlier);
                }
                before = part;
            }
        }

        /** Bookmarks and errors are never repeated. */
        private boolean isMark(AnswerPart part) {
            byte[] bytes = part instanceof Frame frame ? frame.bytes() : ((Whole) part).body();
            String start = new String(bytes, 0, Math.min(bytes.length, 20), StandardCharsets.UTF_8);
            return start.contains("BOOKMARK") || start.contains("ERROR");
        }
    }
}
