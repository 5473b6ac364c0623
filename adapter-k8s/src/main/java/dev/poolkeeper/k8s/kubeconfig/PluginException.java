package dev.poolkeeper.k8s.kubeconfig;

/** An exec plugin has not printed a credential. The message is one line, and shows none. */
final class PluginException extends Exception {

    private static final long serialVersionUID = 1L;

    PluginException(String message) {
        super(message);
    }
}
