/**
 * The HTTP front end of the emulators: {@link dev.poolkeeper.emulators.http.HttpService} with requests and responses as
 * values, without sockets or threads, and {@link dev.poolkeeper.emulators.http.LoopbackServer}, which serves one over
 * HTTP on the loopback interface. A simulation calls the services directly.
 */
@NullMarked
package dev.poolkeeper.emulators.http;

import org.jspecify.annotations.NullMarked;
