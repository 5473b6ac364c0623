package dev.poolkeeper.app;

/** The version of the program. */
public final class ProgramVersion {

    private ProgramVersion() {}

    /** The jar's version, or a note that there is no jar. */
    public static String text() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return version == null ? "(not built as a jar)" : version;
    }
}
