package dev.poolkeeper.app.status;

import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.poolkeeper.ports.ForeignText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The status as an HTML page: no external resources, dark or light as the browser prefers, and usable on a phone.
 * {@code status.mustache} is its template, which escapes every inserted text. A script refreshes it; the page is
 * complete without it.
 */
public final class StatusHtml {

    private static final Template PAGE = compiler().compile(template("status"));

    private StatusHtml() {}

    /** Renders the page. */
    public static String of(StatusAnswer answer, StatusQuery query) {
        return PAGE.execute(PageModel.of(answer, query));
    }

    /** The script that refreshes an open page. */
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
                .withEscaper(text -> Escapers.HTML.escape(ForeignText.line(text)))
                .withLoader(StatusHtml::template);
    }

    private static Reader template(String name) {
        return new InputStreamReader(resource(name + ".mustache"), StandardCharsets.UTF_8);
    }

    private static InputStream resource(String name) {
        InputStream resource = StatusHtml.class.getResourceAsStream(name);
        if (resource == null) {
            throw new UncheckedIOException(new IOException("missing resource: " + name));
        }
        return resource;
    }
}
