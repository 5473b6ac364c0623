package dev.poolkeeper.azure.http;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;

/** Provides tokens for ARM. Thread-safe. */
public interface ArmTokens extends TokenCredential {

    /** ARM refused this token: it is not provided again. */
    void refused(AccessToken token);
}
