package dev.poolkeeper.k8s.policies;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of which one method throws at first. */
final class FailingClient {

    private FailingClient() {}

    static KubernetesClient of(KubernetesClient client, String failing, int times, Throwable failure) {
        AtomicInteger left = new AtomicInteger(times);
        return (KubernetesClient) Proxy.newProxyInstance(
                FailingClient.class.getClassLoader(),
                new Class<?>[] {KubernetesClient.class},
                (proxy, method, args) -> {
                    if (method.getName().equals(failing) && left.getAndDecrement() > 0) {
                        throw failure;
                    }
                    try {
                        return method.invoke(client, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
