package dev.poolkeeper.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.HttpClient;
import dev.poolkeeper.azure.http.ArmCallListener;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.Time;
import java.util.Optional;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Collects what {@link AzurePools} needs. What is not given: no in-call retries, no listener, no node names. Used by
 * one thread.
 */
public final class AzurePoolsBuilder {

    final AzureSettings settings;
    final TokenCredential credential;
    final HttpClient http;
    final Time time;
    CallRetries retries = CallRetries.NONE;
    ArmCallListener listener = ArmCallListener.NONE;
    Function<IpAddress, Optional<String>> nodeNames = address -> Optional.empty();
    Scheduler scheduler = Schedulers.boundedElastic();

    AzurePoolsBuilder(AzureSettings settings, TokenCredential credential, HttpClient http, Time time) {
        this.settings = settings;
        this.credential = credential;
        this.http = http;
        this.time = time;
    }

    /** What is asked before a retry inside a call. */
    public AzurePoolsBuilder retries(CallRetries newRetries) {
        retries = newRetries;
        return this;
    }

    /** Observes every attempt and wait. */
    public AzurePoolsBuilder listener(ArmCallListener newListener) {
        listener = newListener;
        return this;
    }

    /** The node that has an address: new entries are named after it. Thread-safe, quick. */
    public AzurePoolsBuilder nodeNames(Function<IpAddress, Optional<String>> newNodeNames) {
        nodeNames = newNodeNames;
        return this;
    }

    /**
     * What the SDK's part of an attempt runs on, in place of Reactor's elastic threads; a credential may block there.
     */
    public AzurePoolsBuilder scheduler(Scheduler newScheduler) {
        scheduler = newScheduler;
        return this;
    }

    public AzurePools build() {
        return new AzurePools(this);
    }
}
