package dev.poolkeeper.app.commands;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar was built as. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {"poolkeeper " + (version == null ? "(not built as a jar)" : version)};
    }
}
