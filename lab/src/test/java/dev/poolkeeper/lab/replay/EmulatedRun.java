package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Guice;
import com.google.inject.Injector;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmOperation;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.lab.wiring.ReplayModule;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A replay through the real SDK over TLS, and the emulator's record of it.
 *
 * @param result the result of the replay
 * @param requests the emulator's log
 * @param operations the emulator's long-running operations
 */
record EmulatedRun(ReplayResult result, List<AnsweredRequest> requests, List<ArmOperation> operations) {

    static EmulatedRun of(ReplayOptions options, UnaryOperator<ArmSettings> change)
            throws BadInputException, InterruptedException {
        Injector injector = Guice.createInjector(new ReplayModule(options, event -> {}));
        EmulatedArm arm = (EmulatedArm) injector.getInstance(ReplayCloud.class);
        arm.emulator().change(change);
        ReplayResult result = injector.getInstance(ReplaySession.class).run(events -> {});
        return new EmulatedRun(result, arm.emulator().requests(), arm.emulator().operations());
    }

    List<AnsweredRequest> writes() {
        return requests.stream().filter(AnsweredRequest::isWrite).toList();
    }

    void assertEachWriteHasIfMatch() {
        assertThat(writes())
                .isNotEmpty()
                .allSatisfy(write -> assertThat(write.header("if-match")).isNotBlank());
    }

    /**
     * No write between a write's 429 and the end of its {@code Retry-After}, and no read between a read's and its end.
     * None of the 429s here means another operation: the emulator supersedes, and no fault file has such a code.
     */
    void assertNothingGoesThroughAShutGate() {
        Map<Boolean, Instant> shutUntil = new HashMap<>();
        for (AnsweredRequest request : requests) {
            boolean isPoll = request.operation() != null && !request.isWrite();
            if (isPoll || !request.path().contains("/loadBalancers")) {
                continue;
            }
            assertThat(request.at())
                    .as("%s %s while its gate is shut", request.method(), request.path())
                    .isAfterOrEqualTo(shutUntil.getOrDefault(request.isWrite(), Instant.MIN));
            String retryAfter = request.header("retry-after");
            if (request.status() == 429 && retryAfter != null) {
                shutUntil.merge(
                        request.isWrite(),
                        request.at().plusSeconds(Long.parseLong(retryAfter)),
                        (a, b) -> a.isAfter(b) ? a : b);
            }
        }
    }

    void assertNoTwoWritesToOneLoadBalancerAtTheSameTime() {
        assertThat(operations)
                .isNotEmpty()
                .noneMatch(operation -> operation.status().equals("Canceled"));
        Map<String, ArmOperation> latest = new HashMap<>();
        for (ArmOperation operation : operations) {
            ArmOperation before = latest.put(operation.loadBalancer(), operation);
            if (before != null) {
                assertThat(operation.startedAt())
                        .as("%s begins before %s ended", operation, before)
                        .isAfterOrEqualTo(before.endsAt());
            }
        }
    }
}
