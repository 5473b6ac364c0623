package dev.poolkeeper.app.admin;

import java.nio.charset.StandardCharsets;

/**
 * The response of a page.
 *
 * @param status the HTTP status
 * @param contentType including its character set
 * @param body must not be modified
 */
record PageAnswer(int status, String contentType, byte[] body) {

    static PageAnswer text(int status, String text) {
        return new PageAnswer(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }
}
