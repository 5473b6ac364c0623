package dev.poolkeeper.app.admin;

import java.io.IOException;

/** Answers the requests for one path. Thread-safe. */
@FunctionalInterface
interface Page {

    PageAnswer answer(Request request) throws IOException;
}
