package dev.poolkeeper.app.wiring;

import com.google.inject.Inject;
import com.google.inject.Provider;
import dev.poolkeeper.app.daemon.Membership;

/**
 * Breaks the circle between the keeper, which asks whether it leads, and the membership, which tells it that it does.
 */
final class Leadership {

    private final Provider<Membership> membership;

    @Inject
    Leadership(Provider<Membership> membership) {
        this.membership = membership;
    }

    boolean isLeader() {
        return membership.get().isLeader();
    }

    boolean hasSynced() {
        return membership.get().hasSynced();
    }
}
