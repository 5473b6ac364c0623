package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.ports.AddressSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each line of the page, the text and the JSON, of a daemon with two of everything and of one with nothing. */
class WholeStatusTest {

    private static final StatusQuery ALL = new StatusQuery(Optional.empty(), false, 500, Optional.empty());

    private static StatusAnswer answer(StatusQuery query, DaemonStatus status) {
        NodeReport report = new NodeReport(
                NodeReport.Presence.PRESENT,
                Optional.empty(),
                AddressSet.of("10.0.0.4", "10.0.0.7"),
                List.of("a", "b"));
        return StatusAnswer.to(query, status, (service, pool, node) -> Optional.of(report));
    }

    private static JsonNode json(StatusQuery query, DaemonStatus status) throws IOException {
        return JsonMapper.builder().build().readTree(StatusJson.of(answer(query, status)));
    }

    private static List<String> text(StatusQuery query, DaemonStatus status) throws IOException {
        return new StatusText(json(query, status)).lines(query.service());
    }

    /** What a reader sees of the page: the cells of a row side by side, and a mark before what is bad. */
    private static List<String> page(StatusQuery query, DaemonStatus status) {
        String html = StatusHtml.of(answer(query, status), query);
        return html.substring(html.indexOf("<div id=\"state\""), html.indexOf("</main>"))
                .replaceAll("<p class=\"quiet axis\">.*?</p>", "")
                .replaceAll("<input name=\"(\\w+)\"[^>]* value=\"([^\"]*)\">", "[$1=$2]")
                .replaceAll("<input type=\"checkbox\"[^>]*?( checked|)>", "[$1]")
                .replaceAll("<(td|dd|p)[^>]*\\bbad\"[^>]*>", "! ")
                .replaceAll("</(th|td|dt)><(td|dd|th)[^>]*>", " | ")
                .replaceAll("</(th|td|dt)>! ", " | ! ")
                .replaceAll("</(summary|h2)>", " ")
                .replaceAll("<[^>]*>", "")
                .replace("&#39;", "'")
                .lines()
                .map(String::stripTrailing)
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** Each value with its place. */
    private static List<String> flat(String place, JsonNode json) {
        List<String> lines = new ArrayList<>();
        if (json.isObject() && !json.isEmpty()) {
            json.properties().forEach(field -> lines.addAll(flat(place + "." + field.getKey(), field.getValue())));
        } else if (json.isArray() && json.size() > 0 && json.get(0).isObject()) {
            for (int i = 0; i < json.size(); i++) {
                lines.addAll(flat(place + "[" + i + "]", json.get(i)));
            }
        } else {
            lines.add(place.substring(1) + " " + json);
        }
        return lines;
    }

    @Test
    void the_page_of_a_busy_daemon() {
        assertThat(page(ALL, TwoOfEverything.busy()))
                .containsExactly("""
                    ! 6 pools; this replica is on standby and does not know their state
                    2026-01-01T12:00:00Z. This replica is on standby; dry run: writes are disabled.
                    Needs attention
                    No watch on the API server is open
                    Changes in the cluster go unnoticed. The last error: It broke.
                    Fix the error; the watches are reopened automatically, and a replica that was ready stays ready.
                    Azure: read pools
                    This permission is missing.
                    Assign a role.
                    Kubernetes: watch nodes
                    This permission is missing.
                    Bind a role.
                    The resource lock is inaccessible
                    Its Lease is forbidden.
                    Nothing is written until it is accessible; grant access to its Lease if that is missing.
                    Listing failed
                    HTTP 409 AnotherOperationInProgress: Busy. (c-1)
                    The next listing is 2026-01-01T12:04:30Z, in 4 min.
                    The safety brake holds a removal
                    Removal held back by the safety brake: no address is wanted in any pool; it would remove 60 of 100 addresses.
                    Since 2026-01-01T11:59:50Z, 10 s ago. Until 2026-01-01T12:09:50Z, in 9 min.
                    Set safetyBrake.agreed to removal-1 to let it through.
                    The safety brake holds a removal
                    Removal held back by the safety brake: the pools of namespace shop would lose 70 of 100 addresses within 30 s, 70 of them by this removal; more than 50 % may not.
                    Since 2026-01-01T11:59:49Z, 11 s ago. Until 2026-01-01T12:09:51Z, in 9 min.
                    Set safetyBrake.agreed to removal-2 to let it through.
                    Access to pools of load balancer lb-5 is denied
                    Go away.
                    Grant access; the next attempt is 2026-01-01T12:05:00Z, in 5 min.
                    Access to pools of load balancer lb-6 is denied
                    Leave.
                    Grant access; the next attempt is 2026-01-01T12:05:01Z, in 5 min.
                    Service shop/twice
                    Several load balancers have a pool shop-twice: [lb-1/shop-twice, lb-2/shop-twice]. None is written.
                    Remove all but one, or configure which load balancers belong to this cluster.
                    Service shop/again
                    Several load balancers have a pool shop-again: [lb-3/shop-again, lb-4/shop-again]. The one on lb-4 is maintained, as before.
                    Remove all but one, or configure which load balancers belong to this cluster.
                    Service shop/six
                    Its IPv6 family is not served: the older Service shop/six-old uses the pool lb-1/shop-six for the other one.
                    Rename one of the Services: ARM refuses a pool with addresses of both families.
                    Service shop/four
                    Its IPv4 family is not served: the older Service shop/four-old uses the pool lb-1/shop-four for the other one.
                    Rename one of the Services: ARM refuses a pool with addresses of both families.
                    Paused
                    All writes are paused by the configuration.
                    Set paused to false to resume.
                    The configuration is invalid
                    poolkeeper.yaml: retry.attempts: is wrong
                    The last valid settings stay in force; correct the file.
                    The configuration is invalid
                    retries.yaml: is gone
                    The last valid settings stay in force; correct the file.
                    HTTPRoute shop/a: Conflicted
                    It is older.
                    Retries are configured by retries.yaml, their budget by the configuration; correct or delete the object.
                    HTTPRoute shop/b: Invalid
                    It is odd.
                    Retries are configured by retries.yaml, their budget by the configuration; correct or delete the object.
                    shop/down, shop/down-too: outage: failed (pool shop-down on lb-down)
                    The last attempt failed: HTTP 409 AnotherOperationInProgress: Busy. (c-1).
                    Since 2026-01-01T11:58:58Z, 62 s ago.
                    The next EndpointSlice event or comparison retries it; restart or scale a backing pod to cause one.
                    shop/paused, shop/paused-too: held (pool shop-paused on lb-paused)
                    Service shop/paused is paused by its annotation.
                    Since 2026-01-01T11:58:59Z, 61 s ago. Until 2026-01-01T14:01:40Z, in 2 h.
                    Remove the annotation poolkeeper.dev/paused to resume.
                    Figures
                    Leader | keeper-b
                    Resource lock holder | ! another, expires 2026-01-01T12:00:50Z, in 50 s
                    Retries available in the budget | 9
                    Reads throttled until | ! 2026-01-01T12:00:18Z, in 18 s
                    Writes throttled until | ! 2026-01-01T12:00:19Z, in 19 s
                    Busy: lb-7 | ! 2026-01-01T12:00:03Z, in 3 s
                    Remaining Azure quota | ! writes 37, reads 212; writing outages first, the rest one at a time
                    Watches open | ! 0 of 2
                    Pools in outage | unknown on standby
                    Oldest unwritten change | 2026-01-01T11:59:39Z, 21 s ago
                    Outage time, summed over pools | 31 s
                    Missing time, summed over addresses | 92 s
                    Stale time, summed over addresses | 13 s
                    Pods waiting for their readiness gate | ! 8 (2 WaitingForPool, 5 Held, 1 without a condition yet, 6 whose condition cannot be set), longest 40 s
                    Operations waiting | 17
                    Pools parked | 3, 2026-01-01T12:00:20Z, in 20 s
                    Pools not in step: 1 last, 3 at most
                    Age of the oldest unwritten change: 21 s last, 42 s at most
                    Pools
                    Service [service=]
                    Node [node=]
                    [] only pools not in step
                    Show
                    Shown: 6; there are 6 pools.
                    Pools
                    Services | Load balancer | Pool | State | Wanted | Last seen | To add | To remove | Last call
                    shop/paused, shop/paused-too | lb-paused | shop-paused | ! held | 2 10.0.0.4, 10.0.0.5
                     | 2 10.0.0.5, 10.0.0.9
                     2026-01-01T11:59:20Z, 40 s ago | 1 10.0.0.4
                     | 1 10.0.0.9
                     | none yet
                    shop/down, shop/down-too | lb-down | shop-down | ! outage: failed | 2 10.0.0.4, 10.0.0.5
                     | 2 10.0.0.8, 10.0.0.9
                     2026-01-01T11:59:20Z, 40 s ago | 2 10.0.0.4, 10.0.0.5
                     | 2 10.0.0.8, 10.0.0.9
                     | ! write failed 2026-01-01T11:59:10Z, 50 s ago: HTTP 409 AnotherOperationInProgress: Busy. (c-1)
                    shop/next, shop/next-too | lb-next | shop-next | ! queued | 2 10.0.0.4, 10.0.0.5
                     | 1 10.0.0.4
                     2026-01-01T11:59:20Z, 40 s ago | 1 10.0.0.5
                     | 0
                     | read succeeded 2026-01-01T11:59:09Z, 51 s ago
                    shop/braked, shop/braked-too | lb-braked | shop-braked | ! held | 2 10.0.0.4, 10.0.0.5
                     | 3 10.0.0.4, 10.0.0.5, 10.0.0.9
                     2026-01-01T11:59:20Z, 40 s ago | 0
                     | 1 10.0.0.9
                     | ! read failed 2026-01-01T11:59:08Z, 52 s ago: HTTP 409 AnotherOperationInProgress: Busy. (c-1)
                    shop/fine, shop/fine-too | lb-fine | shop-fine | in step | 2 10.0.0.4, 10.0.0.5
                     | 2 10.0.0.4, 10.0.0.5
                     2026-01-01T11:59:20Z, 40 s ago | 0
                     | 0
                     | write succeeded 2026-01-01T11:59:07Z, 53 s ago
                    shop/new | lb-new | shop-new | ! incomplete | 2 10.0.0.4, 10.0.0.5
                     | 0
                     never | 2 10.0.0.4, 10.0.0.5
                     | 0
                     | none yet
                    Local Services without a pool shop/poolless (no selected load balancer has a backend pool with its name), shop/lacking (no selected load balancer has a backend pool with its name)
                    Internals
                    Watches
                    Kind | Read | Watch | Objects | Last message | Lists | Stalled | Last error
                    Service | yes | closed | 42 | 2026-01-01T11:58:30Z, 90 s ago | 5 | 6 | ! It broke
                    Node | not yet | closed | 43 | never | 7 | 8 | !
                    Program
                    Version | 1.2.3
                    Identity | keeper-a
                    Started | 2026-01-01T09:00:00Z, 3 h ago
                    Leading or on standby since | 2026-01-01T11:56:40Z, 3 min ago
                    Cluster read | ! not yet
                    Last successful tick | 2026-01-01T11:59:53Z, 7 s ago
                    Last listing | 2026-01-01T11:59:30Z, 30 s ago
                    Next listing | 2026-01-01T12:04:30Z, in 4 min
                    Last comparison of all pools | 2026-01-01T11:45:00Z, 15 min ago
                    Next comparison | 2026-01-01T12:45:00Z, in 45 min
                    Retry budget | 20 % of all requests of 1m, or 6 in 1m if that is more
                    Retries refused | 4
                    Events | ! 21 written, 22 dropped, 23 suppressed
                    Settings files | [poolkeeper.yaml, retries.yaml]
                    Retries | 408, 500, 502, 503, 504 and connection errors, at most 3 times, wait at least 800ms, doubling up to 8s, with jitter, time for a request without limit, for an attempt 1m
                    Retries set by | retries.yaml, budget by the configuration
                    Retry policies of the cluster | ! 24 in force, 25 not in force
                    Watch on HTTPRoute | ! not open; It is refused
                    Watch on GRPCRoute | open, v1beta1
                    Watch on XBackend | not open; It is not served
                    """.lines().toArray(String[]::new));
    }

    @Test
    void the_page_of_a_daemon_that_has_just_started() {
        assertThat(page(ALL, TwoOfEverything.idle()))
                .containsExactly("""
                    0 of 0 pools in step
                    2026-01-01T12:00:00Z. This replica leads.
                    Figures
                    Leader | no election
                    Resource lock holder | unknown
                    Retries available in the budget | no limit
                    Reads throttled until | not throttled
                    Writes throttled until | not throttled
                    Remaining Azure quota | writes unknown, reads unknown
                    Watches open | 1 of 1
                    Pools in outage | 0
                    Oldest unwritten change | none
                    Outage time, summed over pools | 0 s
                    Missing time, summed over addresses | 0 s
                    Stale time, summed over addresses | 0 s
                    Operations waiting | 0
                    Pools parked | 0
                    Pools not in step: 0 last, 0 at most
                    Age of the oldest unwritten change: 0 s last, 0 s at most
                    Pools
                    Service [service=]
                    Node [node=]
                    [] only pools not in step
                    Show
                    Shown: 0; there are 0 pools.
                    Pools
                    Services | Load balancer | Pool | State | Wanted | Last seen | To add | To remove | Last call
                    Internals
                    Watches
                    Kind | Read | Watch | Objects | Last message | Lists | Stalled | Last error
                    Service | not yet | open | 0 | never | 0 | 0 | !
                    Program
                    Version | 1.2.3
                    Identity | keeper-a
                    Started | 2026-01-01T12:00:00Z, in 0 s
                    Leading or on standby since | the start
                    Cluster read | ! not yet
                    Last successful tick | none yet
                    Last listing | not yet
                    Next listing | 2026-01-01T12:00:00Z, in 0 s
                    Last comparison of all pools | not yet
                    Next comparison | never
                    Retry budget | 20 % of all requests of 1m, or 6 in 1m if that is more
                    Retries refused | 0
                    Events | 0 written, 0 dropped, 0 suppressed
                    Settings files | []
                    Retries | 408, 500, 502, 503, 504 and connection errors, at most 3 times, wait at least 800ms, doubling up to 8s, with jitter, time for a request without limit, for an attempt 1m
                    Retries set by | the configuration
                    Retry policies of the cluster | 0 in force, 0 not in force
                    """.lines().toArray(String[]::new));
    }

    @Test
    void the_text_of_a_busy_daemon() throws IOException {
        List<String> text = text(ALL, TwoOfEverything.busy());

        assertThat(text.subList(0, 6)).containsExactly("""
            6 pools; this replica is on standby and does not know their state
            keeper-a: this replica is on standby; ask the leader keeper-b; resource lock held by another

            No watch on the API server is open
              Changes in the cluster go unnoticed. The last error: It broke.
              Fix the error; the watches are reopened automatically, and a replica that was ready stays ready.
            """.lines().toArray(String[]::new));
        assertThat(text.subList(text.indexOf("HTTPRoute shop/b: Invalid"), text.size()))
                .containsExactly("""
                    HTTPRoute shop/b: Invalid
                      It is odd.
                      Retries are configured by retries.yaml, their budget by the configuration; correct or delete the object.

                    shop/paused, shop/paused-too: held since 2026-01-01T11:58:59Z until 2026-01-01T14:01:40Z
                      Service shop/paused is paused by its annotation.
                      Remove the annotation poolkeeper.dev/paused to resume.

                    shop/down, shop/down-too: outage: failed since 2026-01-01T11:58:58Z
                      The last attempt failed: HTTP 409 AnotherOperationInProgress: Busy. (c-1).
                      The next EndpointSlice event or comparison retries it; restart or scale a backing pod to cause one.

                    shop/next, shop/next-too: queued since 2026-01-01T11:58:57Z
                      The pool waits for the next update of its load balancer.
                      No action is needed.

                    shop/braked, shop/braked-too: held since 2026-01-01T11:58:56Z until 2026-01-01T12:09:50Z
                      Removal held back by the safety brake: no address is wanted in any pool; it would remove 60 of 100 addresses.
                      Set safetyBrake.agreed to removal-1 to let it through before its hold of 10 min ends.

                    shop/poolless: no pool
                      No selected load balancer has a backend pool with its name.

                    shop/lacking: no pool
                      No selected load balancer has a backend pool with its name.

                    SERVICE                       LOAD BALANCER  POOL         STATE           WANTED  MISSING  SURPLUS
                    shop/paused, shop/paused-too  lb-paused      shop-paused  held            2       1        1
                    shop/down, shop/down-too      lb-down        shop-down    outage: failed  2       2        2
                    shop/next, shop/next-too      lb-next        shop-next    queued          2       1        0
                    shop/braked, shop/braked-too  lb-braked      shop-braked  held            2       0        1
                    shop/fine, shop/fine-too      lb-fine        shop-fine    in step         2       0        0
                    shop/new                      lb-new         shop-new     incomplete      2       2        0
                    """.lines().toArray(String[]::new));
    }

    @Test
    void the_text_of_a_daemon_that_has_just_started() throws IOException {
        assertThat(text(ALL, TwoOfEverything.idle()))
                .containsExactly(
                        "0 of 0 pools in step", "keeper-a: this replica leads; resource lock has no known holder");
    }

    @Test
    void the_json_of_a_busy_daemon() throws IOException {
        assertThat(flat("", json(ALL, TwoOfEverything.busy())))
                .contains("""
                    program.version "1.2.3"
                    program.identity "keeper-a"
                    program.started "2026-01-01T09:00:00.250Z"
                    program.lastTick "2026-01-01T11:59:53.250Z"
                    engine.at "2026-01-01T12:00:00.250Z"
                    engine.leading false
                    engine.leadingSince "2026-01-01T11:56:40.250Z"
                    engine.listing.last "2026-01-01T11:59:30.250Z"
                    engine.listing.failure "HTTP 409 AnotherOperationInProgress: Busy. (c-1)"
                    engine.listing.next "2026-01-01T12:04:30.250Z"
                    engine.listing.lastResync "2026-01-01T11:45:00.250Z"
                    engine.listing.nextResync "2026-01-01T12:45:00.250Z"
                    engine.listing.withoutPool ["shop/poolless","shop/lacking"]
                    engine.listing.ambiguous[0].service "shop/twice"
                    engine.listing.ambiguous[0].pool "shop-twice"
                    engine.listing.ambiguous[0].places[0].loadBalancer "lb-1"
                    engine.listing.ambiguous[0].places[0].pool "shop-twice"
                    engine.listing.ambiguous[0].places[1].loadBalancer "lb-2"
                    engine.listing.ambiguous[0].places[1].pool "shop-twice"
                    engine.listing.ambiguous[0].maintained null
                    engine.listing.clashes[0].service "shop/six"
                    engine.listing.clashes[0].pool.loadBalancer "lb-1"
                    engine.listing.clashes[0].pool.pool "shop-six"
                    engine.listing.clashes[0].family "IPV6"
                    engine.listing.clashes[0].served "shop/six-old"
                    engine.work.operations 17
                    engine.work.parkedPools 3
                    engine.work.nextEligibleAt "2026-01-01T12:00:20.250Z"
                    engine.work.lastEligibleAt "2026-01-01T12:01:30.250Z"
                    engine.holds.paused true
                    engine.holds.braked[0].id "removal-1"
                    engine.holds.braked[0].since "2026-01-01T11:59:50.250Z"
                    engine.holds.braked[0].until "2026-01-01T12:09:50.250Z"
                    engine.holds.braked[0].removed 60
                    engine.holds.braked[0].all 100
                    engine.holds.braked[0].text "Removal held back by the safety brake: no address is wanted in any pool; it would remove 60 of 100 addresses."
                    engine.holds.forbidden[0].loadBalancer "lb-5"
                    engine.holds.forbidden[0].until "2026-01-01T12:05:00.250Z"
                    engine.holds.forbidden[0].answer "Go away."
                    engine.holds.fights.lb-fought/shop-fought "2026-01-01T12:10:00.250Z"
                    engine.holds.pausedServices ["shop/paused","shop/stopped"]
                    engine.freshness.outages[0].loadBalancer "lb-down"
                    engine.freshness.outages[0].pool "shop-down"
                    engine.freshness.oldestChange "2026-01-01T11:59:39.250Z"
                    engine.freshness.outage 31.9
                    engine.freshness.missingAddressTime 92.9
                    engine.freshness.staleAddressTime 13.9
                    cluster.watches[1].kind "Node"
                    cluster.watches[1].synced false
                    cluster.watches[1].watching false
                    cluster.watches[1].objects 43
                    cluster.watches[1].lastSign null
                    cluster.watches[1].lists 7
                    cluster.watches[1].stalls 8
                    cluster.watches[1].lastError null
                    cluster.policyKinds[0].kind "HTTPRoute"
                    cluster.policyKinds[0].version "v1"
                    cluster.policyKinds[0].watching false
                    cluster.policyKinds[0].trouble "It is refused"
                    cluster.policyKinds[1].kind "GRPCRoute"
                    cluster.policyKinds[1].version "v1beta1"
                    cluster.policyKinds[1].watching true
                    cluster.policyKinds[1].trouble ""
                    cluster.policyKinds[2].kind "XBackend"
                    cluster.policyKinds[2].version ""
                    cluster.policyKinds[2].watching false
                    cluster.policyKinds[2].trouble "It is not served"
                    cluster.election.enabled true
                    cluster.election.leading false
                    cluster.election.leader "keeper-b"
                    cluster.resourceLock.held false
                    cluster.resourceLock.holding.holder "another"
                    cluster.resourceLock.holding.since "2026-01-01T11:59:48.250Z"
                    cluster.resourceLock.holding.expires "2026-01-01T12:00:50.250Z"
                    cluster.resourceLock.availableAt "2026-01-01T12:00:51.250Z"
                    cluster.resourceLock.error "Its Lease is forbidden."
                    cluster.resourceLock.heldByAnother true
                    cluster.events.written 21
                    cluster.events.dropped 22
                    cluster.events.suppressed 23
                    azure.gates.readsShutUntil "2026-01-01T12:00:18.250Z"
                    azure.gates.writesShutUntil "2026-01-01T12:00:19.250Z"
                    azure.gates.busyUntil.lb-7 "2026-01-01T12:00:03.250Z"
                    azure.quota.level "SCARCE"
                    azure.quota.writes 37
                    azure.quota.reads 212
                    azure.retryBudget.rule "budget"
                    azure.retryBudget.balance 9
                    azure.retryBudget.refused 4
                    settings.dryRun true
                    settings.live.paused true
                    settings.live.brakePercent 50
                    settings.live.agreedRemovals ["removal-9"]
                    settings.live.logLevels.level "INFO"
                    settings.live.logLevels.loggers {}
                    settings.live.files ["poolkeeper.yaml","retries.yaml"]
                    settings.faults ["poolkeeper.yaml: retry.attempts: is wrong","retries.yaml: is gone"]
                    readinessGate.waiting.WAITING_FOR_POOL 2
                    readinessGate.waiting.UPDATE_FAILED 0
                    readinessGate.waiting.HELD 5
                    readinessGate.undecided 1
                    readinessGate.unwritable 6
                    readinessGate.longestWait 40.9
                    readinessGate.written.IN_POOL 14
                    readinessGate.refused 15
                    policies.retriesFrom "retries.yaml"
                    policies.budgetFrom "the configuration"
                    policies.accepted 24
                    policies.refused 25
                    policies.objects[0].object "HTTPRoute shop/a"
                    policies.objects[0].accepted false
                    policies.objects[0].reason "Conflicted"
                    policies.objects[0].message "It is older."
                    policies.objects[2].object "HTTPRoute shop/c"
                    policies.objects[2].accepted true
                    policies.objects[2].reason "Accepted"
                    policies.objects[2].message "It is in force."
                    missingPermissions[0].where "Azure"
                    missingPermissions[0].permission "read pools"
                    missingPermissions[0].remedy "Assign a role."
                    ready false
                    cutOff true
                    summary "6 pools; this replica is on standby and does not know their state"
                    poolsInAll 6
                    poolsMatching 6
                    pools[1].loadBalancer "lb-down"
                    pools[1].pool "shop-down"
                    pools[1].services ["shop/down","shop/down-too"]
                    pools[1].wanted ["10.0.0.4","10.0.0.5"]
                    pools[1].adopted true
                    pools[1].known.addresses ["10.0.0.8","10.0.0.9"]
                    pools[1].known.at "2026-01-01T11:59:20.250Z"
                    pools[1].known.writing false
                    pools[1].known.lastCall.write true
                    pools[1].known.lastCall.at "2026-01-01T11:59:10.250Z"
                    pools[1].known.lastCall.failure "HTTP 409 AnotherOperationInProgress: Busy. (c-1)"
                    pools[1].known.attempted null
                    pools[1].known.provisioning "SUCCEEDED"
                    pools[1].attempts 4
                    pools[1].difference.reason "FAILED"
                    pools[1].difference.since "2026-01-01T11:58:58.250Z"
                    pools[1].difference.until null
                    pools[1].difference.text "The last attempt failed: HTTP 409 AnotherOperationInProgress: Busy. (c-1)."
                    pools[1].difference.remedy "The next EndpointSlice event or comparison retries it; restart or scale a backing pod to cause one."
                    pools[1].leaving []
                    pools[1].missing ["10.0.0.4","10.0.0.5"]
                    pools[1].surplus ["10.0.0.8","10.0.0.9"]
                    pools[1].inStep false
                    pools[1].outage true
                    """.lines().toArray(String[]::new));
    }

    @Test
    void the_json_of_a_daemon_that_has_just_started() throws IOException {
        assertThat(flat("", json(ALL, TwoOfEverything.idle())))
                .contains("""
                    program.version "1.2.3"
                    program.identity "keeper-a"
                    program.started "2026-01-01T12:00:00.250Z"
                    program.lastTick null
                    engine.at "2026-01-01T12:00:00.250Z"
                    engine.leading true
                    engine.leadingSince null
                    engine.listing.last null
                    engine.listing.failure null
                    engine.listing.next "2026-01-01T12:00:00.250Z"
                    engine.listing.lastResync null
                    engine.listing.nextResync null
                    engine.listing.withoutPool []
                    engine.listing.ambiguous []
                    engine.listing.clashes []
                    engine.work.operations 0
                    engine.work.parkedPools 0
                    engine.work.nextEligibleAt null
                    engine.work.lastEligibleAt null
                    engine.holds.paused false
                    engine.holds.braked []
                    engine.holds.forbidden []
                    engine.holds.fights {}
                    engine.holds.pausedServices []
                    engine.freshness.outages []
                    engine.freshness.oldestChange null
                    engine.freshness.outage 0.0
                    engine.freshness.missingAddressTime 0.0
                    engine.freshness.staleAddressTime 0.0
                    cluster.watches[0].kind "Service"
                    cluster.watches[0].synced false
                    cluster.watches[0].watching true
                    cluster.watches[0].objects 0
                    cluster.watches[0].lastSign null
                    cluster.watches[0].lists 0
                    cluster.watches[0].stalls 0
                    cluster.watches[0].lastError null
                    cluster.policyKinds []
                    cluster.election.enabled false
                    cluster.election.leading true
                    cluster.election.leader null
                    cluster.resourceLock.held false
                    cluster.resourceLock.holding null
                    cluster.resourceLock.availableAt null
                    cluster.resourceLock.error null
                    cluster.resourceLock.heldByAnother false
                    cluster.events.written 0
                    cluster.events.dropped 0
                    cluster.events.suppressed 0
                    azure.gates.readsShutUntil null
                    azure.gates.writesShutUntil null
                    azure.gates.busyUntil {}
                    azure.quota.level "AMPLE"
                    azure.quota.writes null
                    azure.quota.reads null
                    azure.retryBudget.rule "budget"
                    azure.retryBudget.balance null
                    azure.retryBudget.refused 0
                    readinessGate null
                    ready false
                    cutOff false
                    summary "0 of 0 pools in step"
                    problems []
                    poolsInAll 0
                    poolsMatching 0
                    pools []
                    nodes []
                    """.lines().toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /engine         | at leading leadingSince listing work holds freshness
        /settings/live  | paused brakePercent agreedRemovals logLevels files retries
        /pools/0        | loadBalancer pool services wanted adopted known attempts difference leaving missing surplus\
         inStep outage
        /pools/0/known  | addresses at writing lastCall attempted provisioning
        /nodes/0        | node service loadBalancer pool wanted held text
        """)
    void the_json_has_no_further_fields(String place, String fields) throws IOException {
        StatusQuery query = new StatusQuery(Optional.empty(), false, 500, Optional.of("n1"));

        assertThat(json(query, TwoOfEverything.busy()).at(place).properties())
                .extracting(Map.Entry::getKey)
                .containsExactlyInAnyOrder(fields.split(" "));
    }
}
