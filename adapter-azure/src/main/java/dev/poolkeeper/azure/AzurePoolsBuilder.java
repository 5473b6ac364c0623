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

/** Builds {@link AzurePools}. Defaults: no in-call retries, no listener, no node names. Used by one thread. */
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

    /** Decides about retries inside a call. */
    public AzurePoolsBuilder retries(CallRetries newRetries) {
        retries = newRetries;
        return this;
    }

    /** Observes every attempt and wait. */
    public AzurePoolsBuilder listener(ArmCallListener newListener) {
        listener = newListener;
        return this;
    }

    /** Finds the node of an address, after which new entries are named. Must be thread-safe and quick. */
    public AzurePoolsBuilder nodeNames(Function<IpAddress, Optional<String>> newNodeNames) {
        nodeNames = newNodeNames;
        return this;
    }

    /** Runs the SDK's part of an attempt, instead of Reactor's elastic threads; a credential may block there. */
    public AzurePoolsBuilder scheduler(Scheduler newScheduler) {
        scheduler = newScheduler;
        return this;
    }

    public AzurePools build() {
        return new AzurePools(this);
    }
}
