package dev.poolkeeper.emulators.offender;

import com.sun.net.httpserver.HttpServer;
import dev.poolkeeper.core.engine.Engine;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class EmulatorsOffender {
    public Engine engine;
    public HttpServer server;
}
