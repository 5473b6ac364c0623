package dev.poolkeeper.app.commands;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.status.StatusText;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code status}: shows the status of a running daemon, and why a pool or node is in its state. */
@Command(
        name = "status",
        description = "Shows the status of a running daemon, and why a pool or node is in its state. For a daemon in a"
                + " cluster: kubectl port-forward deployment/poolkeeper 8095",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class StatusCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Parameters(
            paramLabel = "NAMESPACE/NAME",
            arity = "0..1",
            description = "The Service whose pools are shown. Default: all")
    private @Nullable String service;

    @Option(
            names = "--node",
            paramLabel = "NODE",
            description = "Shows whether this node is in the Service's pools, and why.")
    private @Nullable String node;

    @Option(names = "--output", paramLabel = "text|json", description = "The output format. Default: ${DEFAULT-VALUE}")
    private String output = "text";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The address of the daemon's pages. Default: ${DEFAULT-VALUE}")
    private String url = "http://127.0.0.1:8095";

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        check();
        String body = StatusRequest.send(pages(), Optional.ofNullable(service), Optional.ofNullable(node));
        JsonNode status = parse(body);
        PrintWriter out = spec.commandLine().getOut();
        if (output.equals("json")) {
            out.println(body.strip());
        } else {
            new StatusText(status).lines(Optional.ofNullable(service)).forEach(out::println);
        }
        boolean found = service == null || !status.path("pools").isEmpty();
        return found ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void check() throws BadInputException {
        if (!List.of("text", "json").contains(output)) {
            throw fault("--output", "found \"" + output + "\", must be one of text, json");
        }
        if (node != null && service == null) {
            throw fault("--node", "needs the Service, as NAMESPACE/NAME");
        }
        if (service != null) {
            try {
                ServiceName unused = ServiceName.parse(service);
            } catch (IllegalArgumentException e) {
                throw fault("NAMESPACE/NAME", "found \"" + service + "\", must be a Service such as shop/web");
            }
        }
    }

    private URI pages() throws BadInputException {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (List.of("http", "https").contains(scheme)
                    && uri.getHost() != null
                    && uri.getPort() <= ProxyAddress.LAST_PORT) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // the fault below states what is allowed
        }
        throw fault("--url", "found \"" + url + "\", must be an address such as http://127.0.0.1:8095");
    }

    private JsonNode parse(String body) throws IOException {
        try {
            JsonNode status = JsonMapper.builder().build().readTree(body);
            if (status.has("summary")) {
                return status;
            }
        } catch (JsonProcessingException e) {
            // the exception below reports it
        }
        throw new IOException(url + ": the response is not from a Poolkeeper of this version");
    }

    private static BadInputException fault(String where, String problem) {
        return new BadInputException(new InputFault(where, "", problem));
    }
}
