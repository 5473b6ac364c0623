package dev.poolkeeper.app.offender;

import dev.poolkeeper.fake.cloud.FakeCloud;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class AppOffender {
    public FakeCloud cloud;
}
