package dev.poolkeeper.emulators.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One change of the store, as a watch reports it.
 *
 * @param version the store's version after it
 * @param type {@code ADDED}, {@code MODIFIED} or {@code DELETED}
 * @param storage which objects it concerns
 * @param object the object after it, or as it last was; never changed
 */
record Change(long version, String type, String storage, ObjectNode object) {}
