package dev.poolkeeper.app;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.commands.RootCommand;
import java.util.Locale;

/** The entry point of the daemon's program. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        prepare();
        AdminServer.limitSlowClients();
        System.exit(RootCommand.execute(args, System.out, System.err));
    }

    /** Makes texts independent of the machine's locale, and sets what must be in place before Guice is used. */
    public static void prepare() {
        Locale.setDefault(Locale.ROOT);
        // Guice's generated classes use an API that newer JDKs warn about; nothing here needs them
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
    }
}
