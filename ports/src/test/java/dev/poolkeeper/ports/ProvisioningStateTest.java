package dev.poolkeeper.ports;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProvisioningStateTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, SUCCEEDED",
                "'', SUCCEEDED",
                "' ', SUCCEEDED",
                "Succeeded, SUCCEEDED",
                "succeeded, SUCCEEDED",
                "SUCCEEDED, SUCCEEDED",
                "' Succeeded ', SUCCEEDED",
                "Failed, FAILED",
                "failed, FAILED",
                "FAILED, FAILED",
                "Canceled, FAILED",
                "CANCELED, FAILED",
                "Cancelled, FAILED",
                "cancelled, FAILED",
                "Updating, UPDATING",
                "updating, UPDATING",
                "Deleting, UPDATING",
                "Creating, UPDATING",
                "Accepted, UPDATING"
            })
    void each_word_of_arm_in_any_case(String field, ProvisioningState state) {
        assertThat(ProvisioningState.of(field)).isEqualTo(state);
    }
}
