import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A backend that fails as a request's query tells it to, like that of the Gateway API's retry tests: the first
 * {@code succeedAfter} requests with one {@code uuid} get {@code responseCode}, or have their connection closed where
 * there is none; further ones get 200.
 */
public final class Backend {

    private static final Pattern FIELD = Pattern.compile("(uuid|succeedAfter|responseCode)=([-0-9A-Za-z]*)");

    private final Map<String, Integer> requests = new ConcurrentHashMap<>();

    private Backend() {}

    public static void main(String[] args) throws IOException {
        int port = Integer.parseInt(args[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", new Backend()::answer);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
        System.out.println("backend: 127.0.0.1:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            Map<String, String> query = new ConcurrentHashMap<>();
            Matcher field = FIELD.matcher(String.valueOf(exchange.getRequestURI().getRawQuery()));
            while (field.find()) {
                query.put(field.group(1), field.group(2));
            }
            int number = requests.merge(query.getOrDefault("uuid", ""), 1, Integer::sum);
            boolean fails = number <= Integer.parseInt(query.getOrDefault("succeedAfter", "0"));
            String code = fails ? query.getOrDefault("responseCode", "") : "200";
            if (!code.isEmpty()) {
                exchange.sendResponseHeaders(Integer.parseInt(code), -1);
            }
        }
    }
}
