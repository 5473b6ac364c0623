package dev.poolkeeper.app.admin;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Limits how many expensive pages are rendered at once; answers 503 beyond that. Thread-safe; never waits.
 *
 * @param places the permits, shared by all pages under the same limit
 */
record LimitedPage(Page page, Semaphore places) implements Page {

    @Override
    public PageAnswer answer(Request request) throws IOException {
        if (!places.tryAcquire()) {
            return PageAnswer.text(503, "too many concurrent requests\n");
        }
        try {
            return page.answer(request);
        } finally {
            places.release();
        }
    }
}
