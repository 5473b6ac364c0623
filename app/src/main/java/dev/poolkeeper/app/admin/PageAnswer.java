package dev.poolkeeper.app.admin;

import java.nio.charset.StandardCharsets;

/**
 * What a page answers.
 *
 * @param status the HTTP status
 * @param contentType with its character set
 * @param body not to be changed any more
 */
record PageAnswer(int status, String contentType, byte[] body) {

    static PageAnswer text(int status, String text) {
        return new PageAnswer(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
