package dev.poolkeeper.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates a parser's messages, which name its classes and options, span several lines, and may quote a secret. An
 * unknown message becomes a general one; the location is always shown with it.
 */
final class ParserWords {

    private static final Pattern MARK = Pattern.compile("line \\d+, column \\d+");
    private static final String GENERAL = "is not understood here";

    /** Patterns of messages and their translations. A group of the pattern replaces {@code %s}. */
    private static final Map<Pattern, String> MEANINGS = new LinkedHashMap<>();

    static {
        means("Duplicate field '([^']{1,100})'", "\"%s\" is set twice");
        means("nesting depth", "is nested too deeply");
        means("(Number|String|Name) (value )?length", "a value or name is too long");
        means("exceeds the maximum|StreamReadConstraints", "is too large to parse");
        means("UTF-8|UTF8|UTF-32", "is not UTF-8");
        means("Trailing token|more than one document", "must hold one document, holds more");
        means("end-of-input|end of stream|Unexpected end", "ends in the middle of a value");
        means("Unrecognized token", "an unknown word; a text must be in double quotes");
        means("Non-standard token", "NaN and Infinity are not allowed");
        means("CTRL-CHAR|special characters are not allowed", "a control character");
        means("escape", "an unknown escape sequence in a text");
        means("numeric value|Leading zero", "an invalid number");
        means("Unexpected character \\('(\\P{Cntrl})'", "an unexpected character, %s");
        means("\\(TAB\\)", "a tab; use spaces for indentation");
        means("undefined alias", "an alias without an anchor");
        means("mapping values are not allowed", "an unexpected colon; put the text in quotes");
        means("could not find expected ':'", "a key without a colon");
        means("<block end>|while parsing a block", "is indented wrongly, or a colon or dash is missing");
        means("while parsing a flow", "a bracket or a comma is missing");
        means("quoted scalar", "a quote is missing");
        means("tag", "an unknown tag");
    }

    private ParserWords() {}

    private static void means(String pattern, String words) {
        MEANINGS.put(Pattern.compile(pattern), words);
    }

    /**
     * The location at which the parser stopped. The YAML parser reports it in its message, after the location at which
     * it started.
     */
    static String placeOf(JsonProcessingException e) {
        String place = MARK.matcher(e.getOriginalMessage())
                .results()
                .map(MatchResult::group)
                .reduce("", (before, last) -> last);
        return !place.isEmpty() || e.getLocation() == null
                ? place
                : "line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr();
    }

    /** The translated message, to follow "is not JSON: ". */
    static String of(JsonProcessingException e) {
        String message = e.getOriginalMessage();
        for (Map.Entry<Pattern, String> meaning : MEANINGS.entrySet()) {
            Matcher found = meaning.getKey().matcher(message);
            if (found.find()) {
                return found.groupCount() > 0 ? meaning.getValue().formatted(found.group(1)) : meaning.getValue();
            }
        }
        return e instanceof StrictYamlParser.AliasException ? message : GENERAL;
    }
}
