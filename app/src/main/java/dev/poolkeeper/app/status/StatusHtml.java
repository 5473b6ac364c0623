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
 * The status as a page: no scripts, nothing loaded from anywhere, dark or light as the browser likes it, and readable
 * on a telephone. {@code status.mustache} is its form; every text that comes in is escaped there.
 */
public final class StatusHtml {

    private static final Template PAGE = compiler().compile(template("status"));

    private StatusHtml() {}

    /** The page with what was asked for. */
    public static String of(StatusAnswer answer, StatusQuery query) {
        return PAGE.execute(PageModel.of(answer, query));
    }

    private static Mustache.Compiler compiler() {
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .withEscaper(text -> Escapers.HTML.escape(text.replaceAll("[\\p{Cc}&&[^\\n\\t]]", " ")))
                .withLoader(StatusHtml::template);
    }

    private static Reader template(String name) {
        InputStream template = StatusHtml.class.getResourceAsStream(name + ".mustache");
        if (template == null) {
            throw new UncheckedIOException(new IOException("the program lacks " + name + ".mustache"));
        }
        return new InputStreamReader(template, StandardCharsets.UTF_8);
    }
}
