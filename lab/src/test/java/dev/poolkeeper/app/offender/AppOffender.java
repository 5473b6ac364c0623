package dev.poolkeeper.app.offender;

import dev.poolkeeper.fake.cloud.FakeCloud;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class AppOffender {
    public FakeCloud cloud;
}
