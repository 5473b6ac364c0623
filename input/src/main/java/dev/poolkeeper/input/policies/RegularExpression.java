package dev.poolkeeper.input.policies;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression of RE2, which matches in time linear in the text and within 512 KB of stack. What would take
 * more is refused. Equal if written alike. Its program is kept only from its first match on: of thousands of policies,
 * few are in force. Thread-safe.
 */
final class RegularExpression {

    /** In instructions; RE2/J takes a stack frame for each, and looks at each for each character. */
    static final int LARGEST_PROGRAM = 2_000;

    /** In bytes: four times what compiling the deepest accepted expression was seen to take. */
    private static final long STACK = 2L << 20;

    private final String regex;
    private final int size;
    private volatile @Nullable Pattern compiled;

    /** @throws IllegalArgumentException with the reason if the text is not such an expression, or exceeds a limit */
    RegularExpression(String regex) {
        this.regex = regex;
        ExpressionLimits.check(regex);
        CaseFolds.check(regex);
        this.size = compile(regex).programSize();
        if (size > LARGEST_PROGRAM) {
            throw new IllegalArgumentException(
                    "it compiles to " + size + " instructions, must be " + LARGEST_PROGRAM + " at most");
        }
    }

    /** The size of its program in instructions. */
    int size() {
        return size;
    }

    /** Whether it matches the whole text. */
    boolean matches(CharSequence text) {
        Pattern pattern = compiled;
        if (pattern == null) {
            pattern = compile(regex);
            compiled = pattern;
        }
        return pattern.matcher(text).matches();
    }

    /** On a stack of its own: whether an expression is accepted must not depend on what the caller's has left. */
    private static Pattern compile(String regex) {
        try {
            return CompletableFuture.supplyAsync(
                            () -> Pattern.compile(regex),
                            Thread.ofPlatform()
                                    .name("regular expression")
                                    .daemon()
                                    .stackSize(STACK)::start)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof PatternSyntaxException syntax ? refused(syntax) : e;
        }
    }

    private static IllegalArgumentException refused(PatternSyntaxException e) {
        if (e.getDescription().contains("internal error")) { // its words for a bracket that nothing opened
            return new IllegalArgumentException("unexpected )");
        }
        return new IllegalArgumentException(
                e.getDescription() + (e.getPattern().isEmpty() ? "" : ": " + e.getPattern()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegularExpression that && regex.equals(that.regex);
    }

    @Override
    public int hashCode() {
        return regex.hashCode();
    }

    @Override
    public String toString() {
        return regex;
    }
}
