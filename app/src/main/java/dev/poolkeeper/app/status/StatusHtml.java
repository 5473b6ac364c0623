package dev.poolkeeper.app.status;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The status as a page: nothing loaded from elsewhere, dark or light as the browser likes it, and readable on a
 * telephone. {@code status.mustache} is its form; every text that comes in is escaped there. A script brings it up to
 * date; it is whole without.
 */
public final class StatusHtml {

    private static final Template PAGE = compiler().compile(template("status"));

    private StatusHtml() {}

    /** The page with what was asked for. */
    public static String of(StatusAnswer answer, StatusQuery query) {
        return PAGE.execute(PageModel.of(answer, query));
    }

    /** The script that keeps an open page up to date. */
    public static byte[] script() {
        try (InputStream script = resource("status.js")) {
            return script.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Mustache.Compiler compiler() {
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .withEscaper(text -> Escapers.HTML.escape(text.replaceAll("[\\p{Cc}&&[^\\n\\t]]", " ")))
                .withLoader(StatusHtml::template);
    }

    private static Reader template(String name) {
        return new InputStreamReader(resource(name + ".mustache"), StandardCharsets.UTF_8);
    }

    private static InputStream resource(String name) {
        InputStream resource = StatusHtml.class.getResourceAsStream(name);
        if (resource == null) {
            throw new UncheckedIOException(new IOException("the program lacks " + name));
        }
        return resource;
    }
}
