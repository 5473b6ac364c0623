package dev.poolkeeper.simulation.host;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The configuration file of the daemons of a machine, which its operator edits. It is on a disk in memory whose clock
 * counts accesses: so the disk tells which edit has been read.
 */
public final class ConfigurationFile {

    private final Path path;
    private final boolean hidesPauses;
    private String content;
    private boolean paused;
    private boolean readAsPaused;
    private int edits;
    private int firstUnread;

    /**
     * @param content the content before the first edit
     * @param hidesPauses a planted bug: whoever reads it does not see that it is paused
     */
    public ConfigurationFile(String content, boolean hidesPauses) {
        AtomicLong accesses = new AtomicLong();
        this.path = Jimfs.newFileSystem(Configuration.unix().toBuilder()
                        .setFileTimeSource(() -> FileTime.from(accesses.incrementAndGet(), TimeUnit.SECONDS))
                        .build())
                .getPath("/poolkeeper.yaml");
        this.hidesPauses = hidesPauses;
        this.content = content;
        write();
    }

    public Path path() {
        return path;
    }

    /** Sets {@code paused}. */
    public void pause(boolean now) {
        if (now != paused) {
            readAsPaused = wasReadAsPaused();
            paused = now;
            write();
        }
    }

    /** Sets {@code safetyBrake.agreed} to the id of a removal. */
    public void agreeTo(String removal) {
        edit("safetyBrake:(\n  agreed: .*)?", "safetyBrake:\n  agreed: " + removal);
    }

    /** Sets {@code retryConstraint.budget.percent}. */
    public void allowRetries(int percent) {
        edit("budget:\n    percent: .*", "budget:\n    percent: " + percent);
    }

    private void edit(String pattern, String replacement) {
        String edited = content.replaceFirst(pattern, replacement);
        if (!edited.equals(content)) {
            readAsPaused = wasReadAsPaused();
            content = edited;
            write();
        }
    }

    private void write() {
        edits++;
        try {
            if (firstUnread == 0 || isRead()) {
                firstUnread = edits;
            }
            Files.writeString(path, paused && !hidesPauses ? content + "\npaused: true\n" : content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it contained {@code paused: true} when it was last read. */
    public boolean wasReadAsPaused() {
        if (readAsPaused != paused && isRead()) {
            readAsPaused = paused;
        }
        return readAsPaused;
    }

    /** The number of the first edit that has not been read; 0 if there is none. */
    public int firstUnread() {
        return isRead() ? 0 : firstUnread;
    }

    private boolean isRead() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            return attributes.lastAccessTime().compareTo(attributes.lastModifiedTime()) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
