package dev.poolkeeper.core.offender;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.Timer;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Each breaks the rule that time comes through the port; the architecture test must detect it. */
public final class ClockOffenders {

    private ClockOffenders() {}

    public static final class Call {
        public Instant read() {
            return Instant.now();
        }
    }

    public static final class MethodReference {
        public Supplier<Instant> clock() {
            return Instant::now;
        }
    }

    public static final class NanoTimeReference {
        public LongSupplier clock() {
            return System::nanoTime;
        }
    }

    public static final class Millis {
        public long read() {
            return System.currentTimeMillis();
        }
    }

    public static final class LocalNow {
        @SuppressWarnings("JavaTimeDefaultTimeZone") // an offender
        public LocalDateTime read() {
            return LocalDateTime.now();
        }
    }

    public static final class ZonedNowReference {
        public Supplier<ZonedDateTime> clock() {
            return ZonedDateTime::now;
        }
    }

    public static final class NewDate {
        public Date read() {
            return new Date();
        }
    }

    public static final class NewDateReference {
        public Supplier<Date> clock() {
            return Date::new;
        }
    }

    public static final class OldCalendar {
        public Calendar read() {
            return Calendar.getInstance();
        }
    }

    public static final class SystemClock {
        public Clock clock() {
            return Clock.systemUTC();
        }
    }

    public static final class SystemSource {
        public InstantSource clock() {
            return InstantSource.system();
        }
    }

    public static final class Sleep {
        public void rest() throws InterruptedException {
            Thread.sleep(1);
        }
    }

    public static final class SleepOfUnit {
        public void rest() throws InterruptedException {
            TimeUnit.SECONDS.sleep(1);
        }
    }

    public static final class Park {
        public void rest() {
            LockSupport.parkNanos(1);
        }
    }

    public static final class OldTimer {
        public Timer timer() {
            return new Timer();
        }
    }

    public static final class Scheduler {
        public ScheduledExecutorService timer() {
            return Executors.newSingleThreadScheduledExecutor();
        }
    }
}
