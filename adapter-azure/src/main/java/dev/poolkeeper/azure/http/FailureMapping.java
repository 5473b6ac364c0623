package dev.poolkeeper.azure.http;

import com.azure.core.exception.AzureException;
import com.azure.core.exception.HttpResponseException;
import com.microsoft.aad.msal4j.MsalServiceException;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** Maps ARM's responses and the SDK's exceptions to a {@link Failure}. Only this class knows the SDK's exceptions. */
public final class FailureMapping {

    private static final int UNAUTHORIZED = 401;

    private FailureMapping() {}

    /** Maps an error response by its status; a 4xx that reports another operation in progress is a conflict. */
    static Failure ofAnswer(ArmAnswer answer, @Nullable Instant retryAfter) {
        int status = answer.status();
        ArmErrorBody body = answer.error();
        ArmError error = new ArmError(status, body.code(), message(status, body), answer.correlationId());
        if (status < 400 || status > 599) {
            return Failure.Other.terminal("an unexpected response: " + error.describe());
        }
        if (isTokenRefusal(status, body)) {
            return new Failure.HttpError(UNAUTHORIZED, error); // whatever the status, it is no lack of permissions
        }
        if (status < 500 && status != 404 && status != 412 && status != 429 && body.isAboutAnotherOperation()) {
            return new Failure.Conflict(error);
        }
        return Failure.ofStatus(status, retryAfter, error);
    }

    /** A refused token comes here only after a new one was refused, too. */
    private static @Nullable String message(int status, ArmErrorBody body) {
        String said = body.wholeMessage();
        return !isTokenRefusal(status, body)
                ? said
                : (said == null ? "" : said + " ")
                        + "A new token did not help: check the configured identity (tenantId and its client id) and the"
                        + " clock of this machine";
    }

    /** Whether the token was refused: a 401, or another 4xx whose code says so; 429 is always about throttling. */
    static boolean isTokenRefusal(int status, ArmErrorBody body) {
        return status == UNAUTHORIZED || status >= 400 && status < 500 && status != 429 && body.isAboutTheToken();
    }

    /**
     * Maps a response with a success status and an invalid body. An empty one and one that reports an error come from a
     * part of ARM that does not know the resource yet, or not any more, and are transient, as is one that contradicts
     * itself.
     */
    public static Failure ofInvalid(String what, ArmAnswer answer, InvalidAnswerException why) {
        ArmErrorBody body = why.error();
        String text =
                "ARM's response with status %s about %s is invalid: %s".formatted(answer.status(), what, why.reason());
        if (body == null) {
            return why.isPassing() ? Failure.Other.retriable(text) : Failure.Other.terminal(text);
        }
        ArmError error = new ArmError(null, body.code(), body.wholeMessage(), answer.correlationId());
        return switch (ArmCodes.meaning(body)) {
            case ANOTHER_OPERATION -> new Failure.Conflict(error);
            case PRECONDITION_FAILED -> new Failure.PreconditionFailed(error);
            case THROTTLED -> Failure.Throttled.byArm(null, error);
            case PASSING, FINAL -> Failure.Other.retriable(text);
        };
    }

    /** Maps an exception of the SDK, thrown without a response from ARM. */
    static Failure ofThrown(Throwable thrown) {
        Throwable error = Exceptions.unwrap(thrown);
        if (error instanceof NoTokenException) {
            String text = "no token for Azure: " + describe(Objects.requireNonNull(error.getCause()));
            return isRefusal(error) ? Failure.Other.terminal(text) : Failure.Other.retriable(text);
        }
        if (isConnectionError(error)) {
            return Failure.Other.retriable("no response from Azure: " + describe(error));
        }
        return Failure.Other.terminal("the request could not be created: " + describe(error));
    }

    /**
     * Whether the directory answered that this identity gets no token, or there is none to ask with, so that asking
     * again does not help. A directory that is out of reach, busy or answers with a page of a proxy may give one later.
     */
    private static boolean isRefusal(Throwable noToken) {
        for (Throwable cause : causes(noToken)) {
            if (cause instanceof MsalServiceException answered && answered.statusCode() != null) {
                return answered.statusCode() < 500 && answered.statusCode() != 429;
            }
        }
        return !isConnectionError(noToken)
                && causes(noToken).stream()
                        .anyMatch(
                                cause -> cause instanceof AzureException || cause instanceof IllegalArgumentException);
    }

    /**
     * Whether the connection failed or was lost, or the request timed out, so that the same request may succeed later.
     */
    static boolean isConnectionError(Throwable thrown) {
        return causes(thrown).stream()
                .anyMatch(cause ->
                        cause instanceof TimeoutException || cause instanceof IOException && !isAboutJson(cause));
    }

    /** The JSON parser's exceptions extend IOException, but are not I/O errors. */
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

    /** The message of the deepest cause: those of the SDK are often empty or only refer to the cause. */
    private static String describe(Throwable thrown) {
        List<Throwable> causes = causes(thrown);
        for (Throwable cause : causes) {
            if (cause instanceof ProxyRefusedException refused) {
                return String.valueOf(refused.getMessage());
            }
        }
        Throwable top = causes.getFirst();
        Throwable shown =
                top instanceof HttpResponseException || top instanceof AzureException ? top : causes.getLast();
        for (int i = causes.size() - 1; i >= 0 && isBlank(shown.getMessage()); i--) {
            shown = causes.get(i);
        }
        String name = shown.getClass().getSimpleName();
        return isBlank(shown.getMessage()) ? name : name + ": " + Redaction.of(String.valueOf(shown.getMessage()));
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }
}
