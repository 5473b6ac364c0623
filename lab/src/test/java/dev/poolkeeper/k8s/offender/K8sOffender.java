package dev.poolkeeper.k8s.offender;

import com.google.inject.Injector;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class K8sOffender {
    public Injector injector;
}
