/** Load balancers and backend pools in memory, with scripted faults and a log of every call. */
@NullMarked
package dev.poolkeeper.fake.cloud;

import org.jspecify.annotations.NullMarked;
