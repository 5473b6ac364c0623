package dev.poolkeeper.lab.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links between the pages of this repository have targets, and pages named in sources exist. */
class LinksTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NOT_SOURCES = Set.of(".git", "target", "node_modules");
    private static final Set<String> SOURCES = Set.of("java", "xml", "yaml", "yml", "json", "tpl", "txt", "mjs", "go");

    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```\\s*$");
    private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("]\\(([^()\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern LINK_IN_HEADING = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern NOT_IN_ANCHOR = Pattern.compile("[^\\p{L}\\p{N} _-]");
    private static final Pattern NAMED_PAGE = Pattern.compile("\\bdocs/[\\w/-]+\\.md\\b(#[\\w-]+)?");

    private static List<Path> files(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(entered.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                files.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private static String ending(Path file) {
        String name = file.getFileName().toString();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** The anchors of a page, as GitHub makes them of its headings. */
    private static Set<String> anchors(String page) {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(CODE_BLOCK.matcher(page).replaceAll(""));
        while (heading.find()) {
            String text = LINK_IN_HEADING.matcher(heading.group(1)).replaceAll("$1");
            String anchor = NOT_IN_ANCHOR
                    .matcher(text.strip().toLowerCase(Locale.ROOT))
                    .replaceAll("")
                    .replace(' ', '-');
            for (int same = 1, before = anchors.size(); anchors.size() == before; same++) {
                anchors.add(same == 1 ? anchor : anchor + "-" + (same - 1));
            }
        }
        return anchors;
    }

    private static boolean leadsSomewhere(Path from, String link) throws IOException {
        int hash = link.indexOf('#');
        String name = hash < 0 ? link : link.substring(0, hash);
        Path target = name.isEmpty() ? from : from.resolveSibling(name).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return hash < 0 || anchors(Files.readString(target)).contains(link.substring(hash + 1));
    }

    private static List<String> deadLinks(List<Path> files) throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : files) {
            if (!ending(page).equals("md")) {
                continue;
            }
            String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
            Matcher link = LINK.matcher(CODE.matcher(text).replaceAll(""));
            while (link.find()) {
                boolean elsewhere = link.group(1).contains("://");
                if (!elsewhere && !leadsSomewhere(page, link.group(1))) {
                    dead.add(page + ": " + link.group(1));
                }
            }
        }
        return dead;
    }

    private static List<String> pagesThatAreNotThere(Path root, List<Path> files) throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path source : files) {
            if (!SOURCES.contains(ending(source))) {
                continue;
            }
            Matcher named = NAMED_PAGE.matcher(Files.readString(source));
            while (named.find()) {
                if (!leadsSomewhere(root.resolve("here"), named.group())) {
                    dead.add(source + ": " + named.group());
                }
            }
        }
        return dead;
    }

    @Test
    void links_between_pages_have_targets() throws IOException {
        List<Path> files = files(ROOT);

        assertThat(files).contains(ROOT.resolve("README.md"), ROOT.resolve("docs/README.md"));
        assertThat(deadLinks(files)).isEmpty();
    }

    @Test
    void pages_named_in_sources_exist() throws IOException {
        assertThat(pagesThatAreNotThere(ROOT, files(ROOT))).isEmpty();
    }

    @Test
    void dead_links_are_detected(@TempDir Path folder) throws IOException {
        // given
        String slash = "/";
        Files.writeString(folder.resolve("there.md"), """
            # There
            ## What, and `why`?
            ## Twice
            ## Twice
            ```
            # no heading
            ```
            """);
        Files.writeString(folder.resolve("from.md"), """
            [1](there.md) [2](there.md#what-and-why) [3](there.md#twice-1) [4](https://example.org) [5](#from)
            [6](away.md) [7](there.md#no-heading) [8](there.md#twice-2)
            `[9](code.md)`
            # From
            """);
        Files.writeString(folder.resolve("Source.java"), "// see docs" + slash + "away.md");
        // when
        List<Path> files = files(folder);
        // then
        assertThat(deadLinks(files))
                .extracting(found -> found.substring(found.lastIndexOf(' ') + 1))
                .containsExactly("away.md", "there.md#no-heading", "there.md#twice-2");
        assertThat(pagesThatAreNotThere(folder, files))
                .singleElement()
                .asString()
                .endsWith(slash + "away.md");
    }
}
