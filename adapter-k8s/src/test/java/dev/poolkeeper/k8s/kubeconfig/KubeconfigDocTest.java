package dev.poolkeeper.k8s.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of keys in {@code docs/reference/kubeconfig.md} is complete. */
class KubeconfigDocTest {

    private static final Map<String, String> UNKNOWN = Map.of(
            "file", "unknown: 1\n",
            "cluster", "clusters: [{name: c, cluster: {server: 'https://x', unknown: 1}}]\n",
            "context", "contexts: [{name: x, context: {cluster: c, user: u, unknown: 1}}]\n",
            "user", "users: [{name: u, user: {unknown: 1}}]\n",
            "exec", "users: [{name: u, user: {exec: {unknown: 1}}}]\n");

    @TempDir
    private Path folder;

    private String table;

    @BeforeEach
    void read() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "reference", "kubeconfig.md"));
        int start = page.indexOf("<!-- kubeconfig keys -->");
        table = page.substring(start, page.indexOf("<!-- end -->", start));
    }

    private Set<String> documented(String of) {
        Set<String> keys = new TreeSet<>();
        Matcher row = Pattern.compile("(?m)^\\| " + of + " \\| ([^|]*) \\|").matcher(table);
        while (row.find()) {
            Matcher key = Pattern.compile("`([^`]*)`").matcher(row.group(1));
            while (key.find()) {
                keys.add(key.group(1));
            }
        }
        return keys;
    }

    /** The keys that a fault lists as known. */
    private Set<String> known(String of) throws Exception {
        KubeconfigFixture kubeconfig = new KubeconfigFixture(folder).write("server: \"https://x\"", "");
        String own = UNKNOWN.get(of);
        String text = Files.readString(kubeconfig.file)
                .lines()
                .filter(line -> !line.startsWith(own.substring(0, own.indexOf(':') + 1)))
                .collect(Collectors.joining("\n"));
        Files.writeString(kubeconfig.file, text + "\n" + own);
        Matcher listed =
                Pattern.compile("unknown: unknown key, must be one of (.*)").matcher(kubeconfig.faults());
        assertThat(listed.find()).isTrue();
        return new TreeSet<>(Arrays.asList(listed.group(1).split(", ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "context", "cluster", "user", "exec"})
    void every_key_that_is_read_is_in_the_table_and_no_other(String of) throws Exception {
        assertThat(documented(of)).isNotEmpty().isEqualTo(known(of));
    }
}
