package dev.poolkeeper.emulators.kube;

import dev.poolkeeper.emulators.http.HttpService.Serving;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A request that is served once no fault holds it back. Guarded by the store's lock. */
final class HeldRequest implements Serving {

    private final ObjectStore store;
    private final BooleanSupplier held;
    private final Supplier<Serving> serve;
    private final Runnable look = this::look;
    private boolean over;
    private Serving serving = Serving.OVER;

    private HeldRequest(ObjectStore store, BooleanSupplier held, Supplier<Serving> serve) {
        this.store = store;
        this.held = held;
        this.serve = serve;
    }

    /** Serves the request immediately if no fault holds it back. */
    static Serving whenFree(ObjectStore store, BooleanSupplier held, Supplier<Serving> serve) {
        HeldRequest request = new HeldRequest(store, held, serve);
        store.locked(() -> {
            store.listen(request.look);
            request.look();
        });
        return request;
    }

    private void look() {
        if (!over && !held.getAsBoolean()) {
            over = true;
            store.forget(look);
            serving = serve.get();
        }
    }

    @Override
    public void abandon() {
        store.locked(() -> {
            over = true;
            store.forget(look);
            serving.abandon();
        });
    }
}
