package dev.poolkeeper.core.retry;

/** What is in progress under a budget. Not thread-safe: used under the budget's lock. */
final class Load {

    /** First attempts whose exchange is not over yet. */
    long exchanges;

    /** Retries that were admitted and are not over yet. */
    long retries;
}
