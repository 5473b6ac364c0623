package dev.poolkeeper.core.keeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.CallRetries.Decision;
import dev.poolkeeper.ports.CallRetries.Exchange;
import dev.poolkeeper.ports.CallRetries.Reason;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeadersRetriesTest {

    private static final Decision AGAIN = new Decision.Retry(Duration.ofSeconds(1));
    private static final Decision GIVE_UP = new Decision.GiveUp(Reason.NOT_RETRIABLE);
    private static final Optional<Duration> TIMEOUT = Optional.of(Duration.ofSeconds(7));

    private boolean leader = true;
    private int ended;
    private int bound;
    private final LeadersRetries retries = new LeadersRetries(new Always(), () -> leader);

    private final class Always implements CallRetries {
        @Override
        public CallRetries bound() {
            bound++;
            return this;
        }

        @Override
        public Exchange begin() {
            return new Exchange() {
                @Override
                public Optional<Duration> attemptTimeout() {
                    return TIMEOUT;
                }

                @Override
                public Decision afterStatus(int status) {
                    return AGAIN;
                }

                @Override
                public Decision afterConnectionError() {
                    return AGAIN;
                }

                @Override
                public void end() {
                    ended++;
                }
            };
        }
    }

    @Test
    void a_leader_retries_as_the_policy_says() {
        Exchange exchange = retries.begin();
        assertThat(exchange.attemptTimeout()).isEqualTo(TIMEOUT);
        assertThat(exchange.afterStatus(503)).isEqualTo(AGAIN);
        assertThat(exchange.afterConnectionError()).isEqualTo(AGAIN);
        exchange.end();
        assertThat(ended).isEqualTo(1);
    }

    @Test
    void what_a_leader_began_is_not_sent_again_once_it_leads_no_more() {
        Exchange exchange = retries.bound().begin();
        leader = false;
        assertThat(exchange.afterStatus(503)).isEqualTo(GIVE_UP);
        assertThat(exchange.afterConnectionError()).isEqualTo(GIVE_UP);
        assertThat(bound).isEqualTo(1);
    }

    @Test
    void what_a_standby_asks_for_itself_is_retried() {
        leader = false;
        Exchange listing = retries.begin();
        assertThat(listing.afterStatus(503)).isEqualTo(AGAIN);
        assertThat(listing.afterConnectionError()).isEqualTo(AGAIN);
    }
}
