import com.marcnuri.helm.Helm;
import com.marcnuri.helm.PushCommand;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Packages the chart into a folder and pushes it as an OCI artifact, with Helm itself. Arguments: the chart's folder,
 * the folder for the package, and where to push it, such as {@code oci://registry.example/charts}. Credentials are
 * those of Docker's configuration. A registry on this machine is spoken to without TLS.
 */
final class Chart {

    private Chart() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]).toAbsolutePath();
        Path packages = Files.createDirectories(Path.of(args[1]).toAbsolutePath());
        URI remote = URI.create(args[2]);

        new Helm(folder).packageIt().withDestination(packages).call();
        PushCommand push = Helm.push().withChart(onlyChartIn(packages)).withRemote(remote);
        if (List.of("localhost", "127.0.0.1").contains(remote.getHost())) {
            push.plainHttp();
        }
        System.out.println(push.call());
    }

    private static Path onlyChartIn(Path packages) throws IOException {
        try (Stream<Path> files = Files.list(packages)) {
            List<Path> charts =
                    files.filter(file -> file.toString().endsWith(".tgz")).toList();
            if (charts.size() != 1) {
                throw new IllegalStateException("expected one package in " + packages + ", found " + charts);
            }
            return charts.get(0);
        }
    }
}
