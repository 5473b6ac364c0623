package io.grpc.internal;

/** gRPC's retry throttle, which its package keeps to itself. */
public final class GrpcThrottle {

    private final RetriableStream.Throttle throttle = new RetriableStream.Throttle(1_000, 0.1f);

    public void succeeded() {
        throttle.onSuccess();
    }

    public boolean failedAndMayRetry() {
        return throttle.onQualifiedFailureThenCheckIsAboveThreshold();
    }
}
