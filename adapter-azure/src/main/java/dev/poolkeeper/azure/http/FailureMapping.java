package dev.poolkeeper.azure.http;

import com.azure.core.exception.AzureException;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.exception.HttpResponseException;
import com.azure.identity.CredentialUnavailableException;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * From what ARM answered, and from what the SDK throws, to a {@link Failure}. The one place that knows the SDK's
 * exceptions.
 */
public final class FailureMapping {

    private FailureMapping() {}

    /** An answer that is no success, by its status; a 4xx that names another operation is a conflict. */
    static Failure ofAnswer(ArmAnswer answer, @Nullable Instant retryAfter) {
        int status = answer.status();
        ArmErrorBody body = answer.error();
        ArmError error = new ArmError(status, body.code(), body.wholeMessage(), answer.correlationId());
        if (status < 400 || status > 599) {
            return Failure.Other.terminal("an answer that makes no sense here: " + error.describe());
        }
        if (status < 500 && status != 404 && status != 412 && status != 429 && body.isAboutAnotherOperation()) {
            return new Failure.Conflict(error);
        }
        return Failure.ofStatus(status, retryAfter, error);
    }

    /** A successful answer that does not say what it should. */
    public static Failure ofUnfit(String what, int status, UnfitAnswerException why) {
        return Failure.Other.terminal(
                "ARM's answer of status %d about %s is unfit: %s".formatted(status, what, why.reason()));
    }

    /** What the SDK threw where ARM gave no answer. */
    static Failure ofThrown(Throwable thrown) {
        Throwable error = Exceptions.unwrap(thrown);
        if (isConnectionError(error)) {
            return Failure.Other.retriable("no answer from Azure: " + describe(error));
        }
        if (error instanceof ClientAuthenticationException || error instanceof CredentialUnavailableException) {
            return Failure.Other.terminal("no token for Azure: " + describe(error));
        }
        return Failure.Other.terminal("the request could not be made: " + describe(error));
    }

    /** Whether there was no connection, a lost one, or no answer in time: then the same request may work later. */
    static boolean isConnectionError(Throwable thrown) {
        return causes(thrown).stream()
                .anyMatch(cause ->
                        cause instanceof TimeoutException || cause instanceof IOException && !isAboutJson(cause));
    }

    /** The JSON parser's exceptions are I/O exceptions by inheritance only. */
    private static boolean isAboutJson(Throwable cause) {
        return cause.getClass().getName().contains(".json.");
    }

    private static List<Throwable> causes(Throwable thrown) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = Exceptions.unwrap(thrown);
                cause != null && causes.size() < 16;
                cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    /** The deepest message there is: the SDK's own are often empty or only say that there is a cause. */
    private static String describe(Throwable thrown) {
        List<Throwable> causes = causes(thrown);
        Throwable top = causes.getFirst();
        Throwable told = top instanceof HttpResponseException || top instanceof AzureException ? top : causes.getLast();
        for (int i = causes.size() - 1; i >= 0 && isBlank(told.getMessage()); i--) {
            told = causes.get(i);
        }
        String name = told.getClass().getSimpleName();
        return isBlank(told.getMessage()) ? name : name + ": " + Redaction.of(String.valueOf(told.getMessage()));
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
