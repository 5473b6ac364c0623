package dev.poolkeeper.lab.retries;

import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Calls its upstream with retries, under its own policy and budget: the client, or a service between the client and the
 * backend. It does not notice when its own caller gives up. Used by one thread.
 */
final class Caller implements Upstream {

    /** The status of an attempt that timed out. */
    static final int TIMED_OUT = 504;

    private final List<CallRetries> retries;
    private final Upstream next;
    private final Time time;
    private final Observer observer;

    /** Is notified of a caller's attempts. */
    interface Observer {

        /** An attempt succeeded in time. */
        void attemptSucceeded(ClientRequest request);

        /** The budget refused a retry. */
        void retryRefused(ClientRequest request);
    }

    /** @param retries decides on retries, by the index of the request's route */
    Caller(List<CallRetries> retries, Upstream next, Time time, Observer observer) {
        this.retries = List.copyOf(retries);
        this.next = next;
        this.time = time;
        this.observer = observer;
    }

    @Override
    public void send(ClientRequest request, IntConsumer answer) {
        call(request, CallContext.unbound(), answer);
    }

    /** Sends until there is a response; its status is passed on later. */
    void call(ClientRequest request, CallContext context, IntConsumer answer) {
        new Call(request, retries.get(request.route()).begin(context), answer).attempt();
    }

    /** One call with its attempts. */
    private final class Call {

        private final ClientRequest request;
        private final Exchange exchange;
        private final IntConsumer answer;
        private int attempts;
        private int underWay;

        Call(ClientRequest request, Exchange exchange, IntConsumer answer) {
            this.request = request;
            this.exchange = exchange;
            this.answer = answer;
        }

        void attempt() {
            int attempt = ++attempts;
            underWay = attempt;
            next.send(request, status -> {
                if (underWay == attempt) {
                    answered(status);
                }
            });
            exchange.attemptTimeout()
                    .ifPresent(limit -> time.schedule(limit, () -> {
                        if (underWay == attempt) {
                            underWay = 0;
                            decided(exchange.afterConnectionError(), TIMED_OUT);
                        }
                    }));
        }

        private void answered(int status) {
            underWay = 0;
            if (status == OK) {
                observer.attemptSucceeded(request);
                exchange.end();
                answer.accept(status);
            } else {
                decided(exchange.afterStatus(status), status);
            }
        }

        private void decided(Decision decision, int status) {
            switch (decision) {
                case Decision.Retry(Duration delay) -> time.schedule(delay, this::attempt);
                case Decision.GiveUp(Reason reason) -> {
                    if (reason == Reason.BUDGET_REFUSED) {
                        observer.retryRefused(request);
                    }
                    answer.accept(status);
                }
            }
        }
    }
}
