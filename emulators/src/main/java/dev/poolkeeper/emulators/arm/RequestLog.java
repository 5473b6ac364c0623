package dev.poolkeeper.emulators.arm;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest requests, in the order in which they were answered. Thread-safe. */
final class RequestLog {

    private final Deque<AnsweredRequest> requests = new ArrayDeque<>();

    synchronized void add(AnsweredRequest request, int most) {
        requests.addLast(request);
        while (requests.size() > most) {
            requests.removeFirst();
        }
    }

    synchronized List<AnsweredRequest> all() {
        return List.copyOf(requests);
    }

    synchronized void clear() {
        requests.clear();
    }
}
