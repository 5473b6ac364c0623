package dev.poolkeeper.ports;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What ARM says about the last operation on a pool. Azure's data plane may serve nothing of a pool that is not
 * {@link #SUCCEEDED}, whatever its contents look like. Source: Azure/acs-engine#446, kubernetes/kubernetes#95748.
 */
public enum ProvisioningState {
    /** The contents are in force. */
    SUCCEEDED("Succeeded"),
    /** An operation is in progress; a write would cancel it. */
    UPDATING("Updating"),
    /** The last operation failed or was canceled; writing the same contents again repairs it. */
    FAILED("Failed");

    private final String words;

    ProvisioningState(String words) {
        this.words = words;
    }

    /**
     * The state in ARM's field {@code provisioningState}, in any case. Absent or blank means succeeded; ARM has further
     * words for operations in progress.
     */
    public static ProvisioningState of(@Nullable String field) {
        return switch (field == null ? "" : field.strip().toLowerCase(Locale.ROOT)) {
            case "", "succeeded" -> SUCCEEDED;
            case "failed", "canceled", "cancelled" -> FAILED;
            default -> UPDATING;
        };
    }

    /** In ARM's spelling. */
    @Override
    public String toString() {
        return words;
    }
}
