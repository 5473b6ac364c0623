package dev.poolkeeper.app.admin;

import java.nio.charset.StandardCharsets;

/**
 * What a page answers.
 *
 * @param status the HTTP status
 * @param contentType with its character set
 * @param body not to be changed any more
 */
record Answer(int status, String contentType, byte[] body) {

    static Answer text(int status, String text) {
        return new Answer(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
