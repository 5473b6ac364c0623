/** The proxies that the environment names, read as Go reads them, for every connection of the process. */
@NullMarked
package dev.poolkeeper.input.proxy;

import org.jspecify.annotations.NullMarked;
