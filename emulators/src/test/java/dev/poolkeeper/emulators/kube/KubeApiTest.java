package dev.poolkeeper.emulators.kube;

import static dev.poolkeeper.emulators.kube.KubeClient.SERVICES;
import static dev.poolkeeper.emulators.kube.KubeClient.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.emulators.http.GivenAnswer;
import dev.poolkeeper.fake.FakeTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches of the API server without its socket, on fake time. */
class KubeApiTest {

    private final FakeTime time = new FakeTime();
    private final KubeApi api = new KubeApi(
            KubeSettings.DEFAULT.withBookmarkInterval(Duration.ofMinutes(1)).withTime(time));

    @BeforeEach
    void namespace() {
        api.createNamespace("shop");
    }

    private GivenAnswer watch(String query) {
        return GivenAnswer.to(api, "GET", SERVICES + "?watch=true" + query, "");
    }

    private static List<JsonNode> events(GivenAnswer watch) {
        return watch.takeFrames().stream().map(KubeApiTest::json).toList();
    }

    private static JsonNode json(String text) {
        try {
            return KubeJson.MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> types(List<JsonNode> events) {
        return events.stream().map(event -> event.path("type").asText()).toList();
    }

    @Test
    void a_change_is_visible_once_its_request_is_answered() {
        GivenAnswer watch = watch("");

        GivenAnswer created = GivenAnswer.to(api, "POST", SERVICES, service("web"));

        assertThat(created.status()).isEqualTo(201);
        assertThat(events(watch)).singleElement().satisfies(event -> {
            assertThat(event.path("type").asText()).isEqualTo("ADDED");
            assertThat(event.at("/object/metadata/name").asText()).isEqualTo("web");
        });
        assertThat(watch.isOver()).isFalse();
    }

    @Test
    void a_quiet_watch_gets_one_bookmark_per_interval() {
        GivenAnswer watch = watch("&allowWatchBookmarks=true");
        api.createNamespace("elsewhere"); // advances the version, but sends this watch nothing

        time.advance(Duration.ofSeconds(60));
        List<JsonNode> first = events(watch);
        time.advance(Duration.ofSeconds(59));
        api.apply(service("between"));
        List<JsonNode> second = events(watch);
        time.advance(Duration.ofSeconds(1));
        List<JsonNode> third = events(watch);

        assertThat(types(first)).containsExactly("BOOKMARK");
        assertThat(first.get(0).at("/object/kind").asText()).isEqualTo("Service");
        assertThat(types(second)).containsExactly("ADDED");
        assertThat(types(third)).containsExactly("BOOKMARK");
        assertThat(third.get(0).at("/object/metadata/resourceVersion"))
                .isEqualTo(second.get(0).at("/object/metadata/resourceVersion"));
    }

    @Test
    void a_client_that_does_not_request_bookmarks_gets_none() {
        GivenAnswer watch = watch("");

        time.advance(Duration.ofMinutes(10));

        assertThat(events(watch)).isEmpty();
    }

    @Test
    void a_silenced_watch_has_no_bookmarks_and_sends_everything_once_resumed() {
        GivenAnswer watch = watch("&allowWatchBookmarks=true");
        api.faults().silentWatches(true);
        time.advance(Duration.ofMinutes(10));
        api.apply(service("web"));
        assertThat(events(watch)).isEmpty();

        api.faults().clear();

        assertThat(types(events(watch))).containsExactly("ADDED", "BOOKMARK");
    }

    @Test
    void a_watch_ends_at_its_timeout_to_the_nanosecond() {
        GivenAnswer watch = watch("&timeoutSeconds=30");

        time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(watch.isOver()).isFalse();
        time.advance(Duration.ofNanos(1));

        assertThat(watch.isOver()).isTrue();
        assertThat(watch.isDropped()).isFalse();
        assertThat(api.openWatches()).isZero();
    }

    @Test
    void a_watch_closed_by_its_client_gets_nothing_and_leaves_no_timer() {
        GivenAnswer watch = watch("&allowWatchBookmarks=true");

        watch.abandon();
        api.apply(service("web"));

        assertThat(events(watch)).isEmpty();
        assertThat(api.openWatches()).isZero();
        assertThat(time.pending()).isZero();
    }

    @Test
    void a_watch_from_version_zero_starts_with_the_existing_objects() {
        api.apply(service("web"));

        GivenAnswer watch = watch("&resourceVersion=0");

        assertThat(events(watch))
                .extracting(event -> event.at("/object/metadata/name").asText())
                .containsExactly("web");
    }

    @Test
    void a_watch_from_before_a_compaction_gets_410_and_ends() {
        GivenAnswer watch = watch("");

        api.compact();

        List<JsonNode> events = events(watch);
        assertThat(types(events)).containsExactly("ERROR");
        assertThat(events.get(0).at("/object/code").asInt()).isEqualTo(410);
        assertThat(watch.isOver()).isTrue();
    }

    @Test
    void an_open_watch_survives_a_compaction_and_an_older_one_does_not() {
        KubeApi forgetful = new KubeApi(KubeSettings.DEFAULT.withHistory(2).withTime(time));
        forgetful.createNamespace("shop");
        GivenAnswer follows = GivenAnswer.to(forgetful, "GET", SERVICES + "?watch=true", "");
        for (String name : List.of("a", "b", "c", "d")) {
            forgetful.apply(service(name));
        }

        GivenAnswer late = GivenAnswer.to(forgetful, "GET", SERVICES + "?watch=true&resourceVersion=1", "");

        assertThat(types(events(follows))).containsExactly("ADDED", "ADDED", "ADDED", "ADDED");
        assertThat(follows.isOver()).isFalse();
        assertThat(types(events(late))).containsExactly("ERROR");
        assertThat(late.isOver()).isTrue();
    }

    @Test
    void a_streaming_list_marks_its_end() {
        api.apply(service("web"));

        GivenAnswer watch = watch("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true");

        List<JsonNode> events = events(watch);
        assertThat(types(events)).containsExactly("ADDED", "BOOKMARK");
        assertThat(events.get(1)
                        .at("/object/metadata/annotations/k8s.io~1initial-events-end")
                        .asText())
                .isEqualTo("true");
    }

    @Test
    void held_requests_are_served_in_order_when_the_fault_is_lifted() {
        api.faults().hold(request -> request.verb().equals("create"));
        GivenAnswer first = GivenAnswer.to(api, "POST", SERVICES, service("web"));
        GivenAnswer second = GivenAnswer.to(api, "POST", SERVICES, service("web"));
        GivenAnswer givenUp = GivenAnswer.to(api, "POST", SERVICES, service("other"));
        givenUp.abandon();
        assertThat(first.isEmpty()).isTrue();

        api.faults().clear();

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(409);
        assertThat(givenUp.isEmpty()).isTrue();
    }

    @Test
    void every_run_gives_the_same_ids() {
        KubeApi another = new KubeApi(KubeSettings.DEFAULT.withTime(new FakeTime()));
        api.apply(service("web"));
        another.apply(service("web"));

        String web = SERVICES + "/web";
        assertThat(GivenAnswer.to(another, "GET", web, "").body())
                .isEqualTo(GivenAnswer.to(api, "GET", web, "").body());
        api.delete(web);
        api.apply(service("web"));
        assertThat(json(GivenAnswer.to(api, "GET", web, "").body()).at("/metadata/uid"))
                .isNotEqualTo(
                        json(GivenAnswer.to(another, "GET", web, "").body()).at("/metadata/uid"));
    }
}
