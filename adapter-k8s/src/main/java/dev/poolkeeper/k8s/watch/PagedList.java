package dev.poolkeeper.k8s.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/**
 * A list of all objects of one kind, page by page, so that at most one page of whole objects is in memory. It requests
 * the newest state, not a cached one.
 */
final class PagedList<T extends HasMetadata> {

    private final WatchedKind<T, ?> kind;
    private final KubernetesClient client;
    private final long pageSize;

    /** Receives the pages in order. */
    interface Pages<T extends HasMetadata> {
        void take(KubernetesResourceList<T> page, boolean last);
    }

    PagedList(WatchedKind<T, ?> kind, KubernetesClient client, WatchSettings settings) {
        this.kind = kind;
        this.client = client;
        this.pageSize = settings.pageSize() / kind.pageShare();
    }

    /** Blocks until the last page was passed on, or throws; then no page was marked as the last one. */
    void read(Pages<T> pages) {
        String next = null;
        do {
            KubernetesResourceList<T> page = kind.list()
                    .apply(
                            client,
                            new ListOptionsBuilder()
                                    .withLimit(pageSize)
                                    .withContinue(next)
                                    .build());
            next = page.getMetadata().getContinue();
            pages.take(page, isLast(next));
        } while (!isLast(next));
    }

    private static boolean isLast(@Nullable String next) {
        return next == null || next.isEmpty();
    }
}
