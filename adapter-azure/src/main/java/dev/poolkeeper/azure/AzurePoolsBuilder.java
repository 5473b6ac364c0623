package dev.poolkeeper.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.IpAddress;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Collects what {@link AzurePools} needs. What is not given: no in-call retries, no listener, no trace headers, no node
 * names, real time. Used by one thread.
 */
public final class AzurePoolsBuilder {

    final AzureSettings settings;
    final TokenCredential credential;
    final HttpClient http;
    CallRetries retries = CallRetries.NONE;
    ArmCallListener listener = ArmCallListener.NONE;
    Function<IpAddress, Optional<String>> nodeNames = address -> Optional.empty();
    InstantSource clock = InstantSource.system();
    LongSupplier nanoTime = System::nanoTime;
    Pause pause = Pause.REAL;
    TraceHeaders headers = TraceHeaders.NONE;

    AzurePoolsBuilder(AzureSettings settings, TokenCredential credential, HttpClient http) {
        this.settings = settings;
        this.credential = credential;
        this.http = http;
    }

    /** What is asked before a retry inside a call. */
    public AzurePoolsBuilder retries(CallRetries newRetries) {
        retries = newRetries;
        return this;
    }

    /** Who hears of every attempt and wait. */
    public AzurePoolsBuilder listener(ArmCallListener newListener) {
        listener = newListener;
        return this;
    }

    /**
     * What joins each request to a trace: {@code traceparent} and {@code tracestate} (<a
     * href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a>); other names, and values that no header can
     * hold, are passed over. Asked before each attempt on the thread that made the call, after
     * {@link ArmCallListener#attempting}. Requests for tokens carry none.
     */
    public AzurePoolsBuilder headers(Supplier<Map<String, String>> newHeaders) {
        headers = new TraceHeaders(newHeaders);
        return this;
    }

    /** The node that has an address: new entries are named after it. Thread-safe, quick. */
    public AzurePoolsBuilder nodeNames(Function<IpAddress, Optional<String>> newNodeNames) {
        nodeNames = newNodeNames;
        return this;
    }

    /** By which clock gates open and dates in {@code Retry-After} are read. */
    public AzurePoolsBuilder clock(InstantSource newClock) {
        clock = newClock;
        return this;
    }

    /** By what durations and deadlines are measured. */
    public AzurePoolsBuilder nanoTime(LongSupplier newNanoTime) {
        nanoTime = newNanoTime;
        return this;
    }

    /** How threads wait. */
    public AzurePoolsBuilder pause(Pause newPause) {
        pause = newPause;
        return this;
    }

    public AzurePools build() {
        return new AzurePools(this);
    }
}
