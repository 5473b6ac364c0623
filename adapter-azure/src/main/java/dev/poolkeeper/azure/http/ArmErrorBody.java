package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The error in a response body from ARM: {@code {"error": {…}}}, or flat.
 *
 * @param code ARM's code, spelled as in {@link ArmCodes} if it is one of those; null if there is none
 * @param message ARM's message; null if there is none
 * @param details further errors, of the same shape
 */
public record ArmErrorBody(@Nullable String code, @Nullable String message, List<ArmErrorBody> details) {

    public static final ArmErrorBody NONE = new ArmErrorBody(null, null, List.of());

    /** Deeper details are not read, as a defence against hostile nesting. */
    private static final int DEEPEST = 3;

    public ArmErrorBody {
        code = code == null ? null : ArmCodes.spelled(code);
    }

    static ArmErrorBody of(AnswerBody body) {
        if (body instanceof AnswerBody.TooLarge(SizeLimit limit)) {
            return new ArmErrorBody(null, "its body was not read: " + limit.exceeded(), List.of());
        }
        try {
            return of(body.json());
        } catch (InvalidAnswerException e) {
            return NONE; // a proxy's page, in which only the status is meaningful
        }
    }

    /** The error in an object, or the object itself as an error. */
    public static ArmErrorBody of(Map<?, ?> body) {
        return read(body.get("error") instanceof Map<?, ?> error ? error : body, DEEPEST);
    }

    /** The error that an object carries; empty if it carries none. */
    public static Optional<ArmErrorBody> in(Map<?, ?> body) {
        return body.get("error") instanceof Map<?, ?> error ? Optional.of(read(error, DEEPEST)) : Optional.empty();
    }

    /** The error that came instead of a resource, wrapped or not; empty if the object is none. */
    static Optional<ArmErrorBody> insteadOf(Map<?, ?> resource) {
        boolean isFlat = resource.get("code") instanceof String && resource.get("message") instanceof String;
        return isFlat ? Optional.of(of(resource)) : in(resource);
    }

    private static ArmErrorBody read(Map<?, ?> error, int depth) {
        List<ArmErrorBody> details = new ArrayList<>();
        if (depth > 0 && error.get("details") instanceof List<?> list) {
            for (Object detail : list) {
                if (detail instanceof Map<?, ?> map) {
                    details.add(read(map, depth - 1));
                }
            }
        }
        return new ArmErrorBody(text(error.get("code")), text(error.get("message")), List.copyOf(details));
    }

    private static @Nullable String text(@Nullable Object value) {
        return value instanceof String text && !text.isBlank() ? Redaction.of(text) : null;
    }

    /** The codes of the error and its details. */
    public Stream<String> codes() {
        return Stream.concat(Stream.ofNullable(code), details.stream().flatMap(ArmErrorBody::codes));
    }

    boolean isAboutAnotherOperation() {
        return codes().anyMatch(ArmCodes::isAboutAnotherOperation);
    }

    boolean isAboutTheToken() {
        return codes().anyMatch(ArmCodes::isTokenRefusal);
    }

    /** In one line for people. */
    String describe() {
        return new ArmError(null, code, wholeMessage(), null).describe();
    }

    /** The message combined with those of its details; null if there is none. */
    public @Nullable String wholeMessage() {
        StringBuilder text = new StringBuilder(message == null ? "" : message);
        for (ArmErrorBody detail : details) {
            String more = detail.wholeMessage();
            String words = detail.code == null ? more : more == null ? detail.code : detail.code + ": " + more;
            if (words != null && !words.equals(message)) {
                text.append(text.isEmpty() ? "" : " ").append('[').append(words).append(']');
            }
        }
        return text.isEmpty() ? null : Redaction.of(text.toString());
    }
}
