package dev.poolkeeper.input;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;

/** Refuses aliases, which the parser itself would read as texts: the anchor's name in the place of its value. */
final class StrictYamlParser extends JsonParserDelegate {

    private final YAMLParser yaml;

    StrictYamlParser(YAMLParser yaml) {
        super(yaml);
        this.yaml = yaml;
    }

    /** There is an alias. */
    static final class AliasException extends JsonParseException {
        private static final long serialVersionUID = 1L;

        AliasException(YAMLParser parser) {
            super(parser, "an alias of YAML; write the value itself", parser.currentTokenLocation());
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
