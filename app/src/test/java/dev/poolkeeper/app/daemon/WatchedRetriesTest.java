package dev.poolkeeper.app.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.poolkeeper.app.admin.Watchdog;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.retry.RequestHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WatchedRetriesTest {

    private static final Duration DEADLINE = Duration.ofMinutes(5);

    private final FakeTime time = new FakeTime();
    private final Watchdog watchdog = new Watchdog(time::nanoTime);
    private final CallRetries retries = new WatchedRetries(context -> new Policy(), watchdog, DEADLINE);
    private boolean isBroken;
    private Optional<Duration> timeout = Optional.empty();

    /** Retries nothing; once it is broken, every method throws. */
    private final class Policy implements Exchange {

        private <T> T unlessBroken(T answer) {
            if (isBroken) {
                throw new IllegalStateException("a bug");
            }
            return answer;
        }

        @Override
        public Optional<Duration> attemptTimeout() {
            return unlessBroken(timeout);
        }

        @Override
        public Decision afterStatus(int status, Duration retryAfter) {
            return unlessBroken(new Decision.GiveUp(CallRetries.Reason.NOT_RETRIABLE));
        }

        @Override
        public Decision afterConnectionError() {
            return unlessBroken(new Decision.GiveUp(CallRetries.Reason.NOT_RETRIABLE));
        }

        @Override
        public void end() {
            Object unused = unlessBroken("");
        }
    }

    /** What an attempt ends with. */
    private enum Ending {
        STATUS {
            @Override
            void end(Exchange exchange) {
                exchange.afterStatus(503);
            }
        },
        CONNECTION_ERROR {
            @Override
            void end(Exchange exchange) {
                exchange.afterConnectionError();
            }
        },
        NEXT_ATTEMPT {
            @Override
            void end(Exchange exchange) {
                exchange.attemptTimeout();
                exchange.end();
            }
        },
        /** A success, or an exception that no one expected. */
        END_OF_THE_EXCHANGE {
            @Override
            void end(Exchange exchange) {
                exchange.end();
            }
        };

        abstract void end(Exchange exchange);
    }

    private boolean isStuckLater() {
        time.advance(DEADLINE.multipliedBy(2));
        assertThat(watchdog.isSound())
                .as("an overrun counts once a second look confirms it")
                .isTrue();
        time.advance(Duration.ofMinutes(1));
        return !watchdog.isSound();
    }

    private Exchange attempt() {
        Exchange exchange = retries.begin(CallContext.unbound());
        assertThat(exchange.attemptTimeout()).isEmpty();
        return exchange;
    }

    @Test
    void an_attempt_that_does_not_end_is_stuck() {
        attempt();

        assertThat(isStuckLater()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void an_attempt_that_ended_is_not_stuck(Ending ending) {
        ending.end(attempt());

        assertThat(isStuckLater()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void an_attempt_that_ended_is_not_stuck_even_if_the_policy_throws(Ending ending) {
        Exchange exchange = attempt();
        isBroken = true;
        assertThat(catchThrowable(() -> ending.end(exchange))).hasMessage("a bug");

        assertThat(isStuckLater()).isFalse();
    }

    /** Which is its time-out, or the deadline of the call if that is sooner, and a minute. */
    @ParameterizedTest
    @CsvSource({"PT10S, PT1M10S", "PT4M59S, PT5M59S", "PT5M, PT6M", "PT1H, PT6M", ", PT6M"})
    void an_attempt_is_stuck_once_it_lasts_longer_than_it_may(@Nullable Duration ownTimeout, Duration most) {
        timeout = Optional.ofNullable(ownTimeout);
        assertThat(retries.begin(CallContext.unbound()).attemptTimeout()).isEqualTo(timeout);
        time.advance(most);
        assertThat(watchdog.isSound()).isTrue();
        time.advance(Duration.ofSeconds(10));
        assertThat(watchdog.isSound()).as("not overdue at the first look").isTrue();
        time.advance(Duration.ofSeconds(10));
        assertThat(watchdog.isSound()).as("overdue at both looks").isFalse();
    }

    @Test
    void the_request_chooses_its_policy() {
        List<RequestHead> heads = new ArrayList<>();
        CallRetries chosen = new WatchedRetries(
                new CallRetries() {
                    @Override
                    public Exchange begin(CallContext context) {
                        return new Policy();
                    }

                    @Override
                    public Exchange begin(CallContext context, RequestHead request) {
                        heads.add(request);
                        return new Policy();
                    }
                },
                watchdog,
                DEADLINE);
        RequestHead head = RequestHead.of("PUT", "/subscriptions", "");
        chosen.begin(CallContext.unbound(), head).end();
        assertThat(heads).containsExactly(head);
    }
}
