package dev.poolkeeper.core.offender;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Each breaks the rule that randomness comes through the port; the architecture test must detect it. */
public final class ChanceOffenders {

    private ChanceOffenders() {}

    public static final class OfMath {
        public double draw() {
            return Math.random();
        }
    }

    public static final class OfMathReference {
        public DoubleSupplier draws() {
            return Math::random;
        }
    }

    public static final class Unique {
        public UUID draw() {
            return UUID.randomUUID();
        }
    }

    public static final class UniqueReference {
        public Supplier<UUID> draws() {
            return UUID::randomUUID;
        }
    }

    public static final class Unseeded {
        public Random draws() {
            return new Random();
        }
    }

    public static final class UnseededReference {
        public Supplier<SplittableRandom> draws() {
            return SplittableRandom::new;
        }
    }

    public static final class OfThread {
        public double draw() {
            return ThreadLocalRandom.current().nextDouble();
        }
    }

    public static final class Secure {
        public SecureRandom draws() {
            return new SecureRandom();
        }
    }

    public static final class Shuffled {
        public void shuffle(List<?> list) {
            Collections.shuffle(list);
        }
    }

    public static final class Generator {
        public RandomGenerator draws() {
            return RandomGenerator.getDefault();
        }
    }
}
