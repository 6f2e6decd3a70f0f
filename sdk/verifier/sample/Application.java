import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/** The smallest application in Java: it checks each callback of the platform, and answers an alarm. */
final class Application {
  /** They decide about a person who waits. One that this program cannot answer is left to the fallback of the platform. */
  private static final Set<String> UNDECIDED = Set.of("newCall", "callEvent", "getIvrCommand", "newRemoteCall");

  private static final Map<String, String> SETTINGS = System.getenv();

  public static void main(String[] args) throws Exception {
    var key = new CallbackVerifier.Key(SETTINGS.getOrDefault("ALGORITHM", "ES256"), SETTINGS.getOrDefault("KEY", ""));
    var verifier = new CallbackVerifier(List.of(key), SETTINGS.get("AUDIENCE"), SETTINGS.get("ISSUER"));
    int port = Integer.parseInt(SETTINGS.getOrDefault("PORT", "3000"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", exchange -> take(exchange, verifier));
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("takes callbacks at http://127.0.0.1:" + port);
  }

  private static void take(HttpExchange exchange, CallbackVerifier verifier) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String name = path.substring(path.lastIndexOf('/') + 1);
    byte[] body = exchange.getRequestBody().readAllBytes();
    try {
      verifier.verify(exchange.getRequestHeaders().getFirst("Authorization"), body);
    } catch (CallbackVerifier.Refusal refusal) {
      System.out.println(name + " refused: " + refusal.getMessage());
      answer(exchange, 401, "{\"reason\":\"" + refusal.code + "\"}");
      return;
    }
    System.out.println(name + " " + new String(body, StandardCharsets.UTF_8));
    // A repeat of an event gets the same answer.
    if (name.equals("newAlarmbridgeEvent")) answer(exchange, 200, "{\"action\":\"callEmergencyCenter\"}");
    else if (UNDECIDED.contains(name)) answer(exchange, 501, "{\"reason\":\"It is not answered here.\"}");
    else answer(exchange, 200, "{}");
  }

  private static void answer(HttpExchange exchange, int status, String json) throws IOException {
    byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
