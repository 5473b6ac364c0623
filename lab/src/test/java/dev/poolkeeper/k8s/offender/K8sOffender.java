package dev.poolkeeper.k8s.offender;

import com.google.inject.Injector;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class K8sOffender {
    public Injector injector;
}
