package dev.poolkeeper.core.engine;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls what an embedder provides so that an exception from it, or an error other than of the JVM itself, ends nothing:
 * it is logged, and counts as the answer that is safest. Ports must not throw; this is for those that do.
 */
final class SafePorts {

    private static final Logger log = LoggerFactory.getLogger(SafePorts.class);

    private SafePorts() {}

    /** A call to Azure: an exception or null is a failed reply. */
    static <T> Reply<T> reply(Supplier<Reply<T>> call) {
        try {
            return requireNonNull(call.get(), "the adapter returned null");
        } catch (Throwable e) {
            throwIfFatal(e);
            log.atError().setCause(e).log("A call threw an exception instead of returning a failure");
            return Reply.failed(Failure.Other.terminal("unexpected " + e));
        }
    }

    /** @param otherwise the answer if the port throws or returns null */
    static <T> T ask(String port, T otherwise, Supplier<T> call) {
        try {
            return requireNonNull(call.get(), port + " returned null");
        } catch (Throwable e) {
            throwIfFatal(e);
            log.atError().setCause(e).addKeyValue("port", port).log("A port threw an exception");
            return otherwise;
        }
    }

    static void throwIfFatal(Throwable e) {
        if (e instanceof VirtualMachineError fatal && !(e instanceof StackOverflowError)) {
            throw fatal;
        }
    }

    static void tell(String port, Runnable call) {
        ask(port, true, () -> {
            call.run();
            return true;
        });
    }
}
