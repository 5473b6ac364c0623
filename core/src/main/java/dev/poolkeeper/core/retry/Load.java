package dev.poolkeeper.core.retry;

/** The exchanges and retries in progress under a budget. Not thread-safe: used under the budget's lock. */
final class Load {

    /** First attempts whose exchange has not ended. */
    long exchanges;

    /** Retries that were admitted and have not ended. */
    long retries;
}
