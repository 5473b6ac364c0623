package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.ports.Time;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The body of a response, with a time limit for each read: the HTTP client limits only the time until the headers. The
 * time that the reader needs for what it has read does not count. Read by one thread.
 */
final class TimedBody extends FilterInputStream {

    private final Duration longest;
    private final SilenceCheck silence;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean isReading; // guarded by lock
    private boolean isLate; // guarded by lock

    TimedBody(InputStream body, Duration longest, Time time) {
        super(body);
        this.longest = longest;
        this.silence = new SilenceCheck(time, longest, this::locked);
        locked(() -> silence.start(this::silent));
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    private void silent(Duration since) {
        if (!isReading) {
            silence.start(this::silent);
            return;
        }
        isLate = true;
        try {
            in.close(); // the read that is in progress ends
        } catch (IOException e) {
            // there is nothing else to close
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        reading(true);
        int read;
        try {
            read = super.read(bytes, from, length);
        } catch (IOException e) {
            failIfLate();
            throw e;
        } finally {
            reading(false);
        }
        failIfLate(); // a closed body may look like one that has ended
        return read;
    }

    private void reading(boolean now) {
        locked(() -> {
            isReading = now;
            silence.sign();
        });
    }

    private void failIfLate() throws IOException {
        lock.lock();
        try {
            if (isLate) {
                throw new HttpTimeoutException("no data within " + longest.toSeconds() + " s");
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        locked(silence::stop);
        super.close();
    }
}
