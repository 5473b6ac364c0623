package dev.poolkeeper.app.status;

import java.util.List;

/** Writes HTML. Every text that comes in is escaped; only what this class itself writes is markup. One thread. */
final class Html {

    private final StringBuilder out = new StringBuilder(8_192);

    /** Markup, as it is. Only for constants. */
    Html markup(String constant) {
        out.append(constant);
        return this;
    }

    /** A text or an attribute's value. */
    Html text(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c < ' ' && c != '\n' && c != '\t' ? ' ' : c);
            }
        }
        return this;
    }

    /** An element that holds a text. */
    Html element(String name, String text) {
        return markup("<")
                .markup(name)
                .markup(">")
                .text(text)
                .markup("</")
                .markup(name)
                .markup(">\n");
    }

    /** A row of a list of names and values; a fault is marked. */
    Html row(String name, String value, boolean fault) {
        return markup("<tr><th scope=\"row\">")
                .text(name)
                .markup(fault ? "</th><td class=\"bad\">" : "</th><td>")
                .text(value)
                .markup("</td></tr>\n");
    }

    /** The beginning of a table with a caption and the heads of its columns. */
    Html table(String caption, List<String> columns) {
        markup("<table>\n<caption>").text(caption).markup("</caption>\n<thead><tr>");
        columns.forEach(column -> markup("<th scope=\"col\">").text(column).markup("</th>"));
        return markup("</tr></thead>\n<tbody>\n");
    }

    Html endTable() {
        return markup("</tbody>\n</table>\n");
    }

    /** A cell. */
    Html cell(String text, boolean fault) {
        return markup(fault ? "<td class=\"bad\">" : "<td>").text(text).markup("</td>");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
