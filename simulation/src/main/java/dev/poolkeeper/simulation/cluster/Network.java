package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.EnumMap;
import java.util.Map;

/** One machine's way to the API server, and what is wrong with it. Milliseconds where nothing else is said. */
public final class Network {

    private final Map<Kind, Integer> lags = new EnumMap<>(Kind.class);
    private boolean cut;
    private double duplicates;
    private double losesAnswers;
    private int latency = 5;

    /** Nothing gets through. */
    public void cut(boolean now) {
        cut = now;
    }

    public boolean isCut() {
        return cut;
    }

    /** How late at most the events of this kind come; 0 for as ever. */
    public void lag(Kind kind, int most) {
        lags.put(kind, most);
    }

    /** How many of the events come twice, or after a later one again. */
    public void duplicate(double share) {
        duplicates = share;
    }

    boolean duplicates(Chance chance) {
        return duplicates > 0 && chance.happens(duplicates);
    }

    long watchLag(Kind kind, Chance chance) {
        int most = lags.getOrDefault(kind, 0);
        long usual = chance.between(1, 30);
        return (most == 0 ? usual : usual + chance.between(most / 2, most)) * Timeline.MILLIS;
    }

    /** How many answers to writes are lost after the write took effect. */
    public void loseAnswers(double share) {
        losesAnswers = share;
    }

    public boolean losesAnswer(Chance chance) {
        return losesAnswers > 0 && chance.happens(losesAnswers);
    }

    /** How long a request takes at most, each way. */
    public void latency(int most) {
        latency = most;
    }

    public long requestNanos(Chance chance) {
        return chance.between(1, latency) * Timeline.MILLIS;
    }

    /** As on a good day. */
    public void heal() {
        lags.clear();
        cut = false;
        duplicates = 0;
        losesAnswers = 0;
        latency = 5;
    }
}
