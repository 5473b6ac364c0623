package dev.poolkeeper.app;

import dev.poolkeeper.app.commands.RootCommand;

/** Arguments to command to exit code. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(RootCommand.execute(args, System.out, System.err));
    }
}
