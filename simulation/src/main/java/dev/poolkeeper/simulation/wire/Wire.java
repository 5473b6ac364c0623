package dev.poolkeeper.simulation.wire;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.End;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.emulators.http.HttpService;
import dev.poolkeeper.emulators.http.HttpService.Serving;
import dev.poolkeeper.simulation.time.VirtualProcess;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The connection from one process to one server. Requests and responses have latency, or are lost; servers are called
 * by events of the timeline, never by a thread of the process. A request that was sent arrives even if its process ends
 * meanwhile; the open requests of an ended process are abandoned.
 */
public final class Wire implements Way {

    private final VirtualProcess process;
    private final HttpService service;
    private final Conditions conditions;
    private final Tap tap;
    private final Set<Exchange> open = new LinkedHashSet<>();

    public Wire(VirtualProcess process, HttpService service, Conditions conditions, Tap tap) {
        this.process = process;
        this.service = service;
        this.conditions = conditions;
        this.tap = tap;
        process.onEnd(() -> List.copyOf(open).forEach(Exchange::close));
    }

    /** The process that uses this connection. */
    public VirtualProcess process() {
        return process;
    }

    /** The requests in progress, in sending order. */
    public List<Exchange> open() {
        return List.copyOf(open);
    }

    @Override
    public Exchange send(HttpCall call, Consumer<AnswerPart> receiver) {
        Exchange exchange = new Exchange(call, receiver);
        open.add(exchange);
        tap.sent(call);
        process.timeline().after(conditions.requestNanos(call), exchange::reachServer);
        return exchange;
    }

    /** A request and the response received so far. */
    public final class Exchange implements Sent {

        private final HttpCall call;
        private final Consumer<AnswerPart> receiver;
        private final Queue<AnswerPart> arrived = new ArrayDeque<>();
        private Serving serving = Serving.OVER;
        private long lastArrival;
        private boolean delivering;
        private boolean begun;
        private boolean silent;
        private boolean over;

        private Exchange(HttpCall call, Consumer<AnswerPart> receiver) {
            this.call = call;
            this.receiver = receiver;
        }

        public HttpCall call() {
            return call;
        }

        public VirtualProcess process() {
            return process;
        }

        private void reachServer() {
            if (!silent && !conditions.isCut()) {
                serving = service.serve(call, this::answered);
                if (over) {
                    serving.abandon();
                }
            }
        }

        private void answered(AnswerPart part) {
            if (!over && !silent) {
                long now = process.timeline().now();
                lastArrival = Math.max(lastArrival, now + conditions.answerNanos(call, part));
                process.after(lastArrival - now, () -> arrive(part));
            }
        }

        private void arrive(AnswerPart part) {
            if (!over && !silent && !conditions.isCut()) {
                arrived.add(part);
                if (!delivering) {
                    delivering = true;
                    process.start(this::deliver);
                }
            }
        }

        private void deliver() {
            for (AnswerPart part = arrived.poll(); part != null; part = arrived.poll()) {
                if (!over) {
                    begun = true;
                    if (part instanceof Whole || part instanceof End || part instanceof Dropped) {
                        over = true;
                        open.remove(this);
                    }
                    tap.received(call, part);
                    receiver.accept(part);
                }
            }
            delivering = false;
        }

        /** Nothing arrives any more, and neither side notices. */
        public void fallSilent() {
            silent = true;
        }

        /** The connection breaks: data in transit is lost, and the process notices. */
        public void drop() {
            endWith(new Dropped());
        }

        /** The server ends the response normally; data in transit is lost. */
        public void end() {
            endWith(new End());
        }

        private void endWith(AnswerPart last) {
            fallSilent();
            process.after(0, () -> {
                if (!conditions.isCut()) { // otherwise the end is lost, too, and what follows must not arrive
                    silent = false;
                    arrived.clear();
                    arrive(begun ? last : new Dropped()); // a response without a head has no normal end
                }
            });
        }

        @Override
        public void abandon() {
            process.timeline().after(0, this::close);
            over = true;
            open.remove(this);
        }

        private void close() {
            over = true;
            open.remove(this);
            serving.abandon();
        }
    }
}
