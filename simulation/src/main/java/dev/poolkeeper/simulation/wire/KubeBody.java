package dev.poolkeeper.simulation.wire;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The body of a response in the form that Fabric8 consumes: piece by piece, on request. */
final class KubeBody implements AsyncBody {

    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private final Queue<byte[]> pieces = new ArrayDeque<>();
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private Runnable onCancel = () -> {};
    private int asked;
    private boolean giving;
    private boolean ended;
    private @Nullable Throwable error;

    KubeBody(AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        this.consumer = consumer;
    }

    void onCancel(Runnable action) {
        onCancel = action;
    }

    /** @param action called once the body has ended for any reason */
    void onEnd(Runnable action) {
        CompletableFuture<Void> unused = done.whenComplete((nothing, thrown) -> action.run());
    }

    void arrived(byte[] piece) {
        if (piece.length > 0) {
            pieces.add(piece);
            give();
        }
    }

    /** @param why null if the body is complete */
    void ended(@Nullable Throwable why) {
        ended = true;
        error = why;
        give();
    }

    @Override
    public void consume() {
        asked++;
        give();
    }

    private void give() {
        if (giving) {
            return; // called recursively: the loop below continues
        }
        giving = true;
        try {
            while (asked > 0 && !pieces.isEmpty() && !done.isDone()) {
                asked--;
                consumer.consume(List.of(ByteBuffer.wrap(pieces.remove())), this);
            }
        } catch (Exception e) {
            done.completeExceptionally(e);
        } finally {
            giving = false;
        }
        if (ended && pieces.isEmpty()) {
            if (error == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(error);
            }
        }
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    @Override
    public void cancel() {
        onCancel.run();
        done.cancel(false);
    }
}
