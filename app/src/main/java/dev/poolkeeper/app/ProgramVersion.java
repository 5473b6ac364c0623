package dev.poolkeeper.app;

/** Which version of the program this is. */
public final class ProgramVersion {

    private ProgramVersion() {}

    /** The jar's version; says so where there is no jar. */
    public static String text() {
        String version = ProgramVersion.class.getPackage().getImplementationVersion();
        return version == null ? "(not built as a jar)" : version;
    }
}
