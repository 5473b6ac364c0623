package dev.poolkeeper.app;

import dev.poolkeeper.app.admin.AdminServer;
import dev.poolkeeper.app.commands.RootCommand;

/** Arguments to command to exit code: the daemon and what is needed with it. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        prepare();
        AdminServer.limitSlowClients();
        System.exit(RootCommand.execute(args, System.out, System.err));
    }

    /** What a process sets before it wires anything. */
    public static void prepare() {
        // Guice's generated classes use an API that newer JDKs warn of; what is wired here needs none
        System.setProperty("guice_bytecode_gen_option", "DISABLED");
    }
}
