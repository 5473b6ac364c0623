package dev.poolkeeper.app.commands;

import dev.poolkeeper.app.ProgramVersion;
import picocli.CommandLine.IVersionProvider;

/** The version that the jar was built with. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"poolkeeper " + ProgramVersion.text()};
    }
}
