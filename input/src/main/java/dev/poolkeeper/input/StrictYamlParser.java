package dev.poolkeeper.input;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/** Rejects aliases, which the parser would otherwise read as the anchor's name instead of its value. */
final class StrictYamlParser extends JsonParserDelegate {

    private final YAMLParser yaml;

    StrictYamlParser(YAMLParser yaml) {
        super(yaml);
        this.yaml = yaml;
    }

    /** The document contains an alias. */
    static final class AliasException extends JsonParseException {
        private static final long serialVersionUID = 1L;

        AliasException(YAMLParser parser) {
            super(parser, "a YAML alias; write out the value", parser.currentTokenLocation());
        }
    }

    @Override
    public JsonToken nextToken() throws IOException {
        JsonToken token = super.nextToken();
        if (yaml.isCurrentAlias()) {
            throw new AliasException(yaml);
        }
        return token;
    }
}
