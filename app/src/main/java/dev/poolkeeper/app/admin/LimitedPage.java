package dev.poolkeeper.app.admin;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/** A page that takes time or memory: no more than a few of these are made at once. Thread-safe; never waits. */
final class LimitedPage implements Page {

    private final Page page;
    private final Semaphore places;

    /** @param places shared by all pages that count together */
    LimitedPage(Page page, Semaphore places) {
        this.page = page;
        this.places = places;
    }

    @Override
    public PageAnswer answer(Request request) throws IOException {
        if (!places.tryAcquire()) {
            return PageAnswer.text(503, "too many requests at once\n");
        }
        try {
            return page.answer(request);
        } finally {
            places.release();
        }
    }
}
