package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.ServiceName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MissingPoolTest {

    /** The pool of shop/NAME has a name that is longer by five characters, and by ten for IPv6. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3  | no selected load balancer has a backend pool with its name",
                "70 | no selected load balancer has a backend pool with its name",
                "71 | no selected load balancer has a backend pool with its name; for IPv6 that name would have 81"
                        + " characters, and Azure allows 80",
                "75 | no selected load balancer has a backend pool with its name; for IPv6 that name would have 85"
                        + " characters, and Azure allows 80",
                "76 | the name of its pool would have 81 characters, and Azure allows 80: no load balancer can hold it;"
                        + " shorten the name of the Service or of its namespace"
            })
    void a_name_beyond_azures_limit_is_said(int length, String why) {
        assertThat(MissingPool.why(new ServiceName("shop", "x".repeat(length)))).isEqualTo(why);
    }
}
