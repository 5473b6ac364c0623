/**
 * What the emulators are to their clients: {@link dev.poolkeeper.emulators.http.HttpService}, requests and answers as
 * values, which knows no socket and has no thread; and {@link dev.poolkeeper.emulators.http.LoopbackServer}, which
 * serves one over HTTP on the loopback interface. A simulation calls the services themselves.
 */
@NullMarked
package dev.poolkeeper.emulators.http;

import org.jspecify.annotations.NullMarked;
