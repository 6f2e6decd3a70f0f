import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

@SuppressWarnings("unchecked")
final class Runner {
  public static void main(String[] args) throws Exception {
    var set = (Map<String, Object>) new CallbackVerifier.Json(Files.readString(Path.of(args[0]))).read();
    List<String> outcomes = new ArrayList<>();
    for (Object each : (List<Object>) set.get("vectors")) outcomes.add(outcome(set, (Map<String, Object>) each));
    System.out.println("[" + String.join(",", outcomes) + "]");
  }

  private static String outcome(Map<String, Object> set, Map<String, Object> vector) {
    List<CallbackVerifier.Key> keys = new ArrayList<>();
    for (Object each : (List<Object>) vector.get("keys")) {
      var key = (Map<String, Object>) each;
      long until = key.get("acceptedUntil") instanceof Double end ? end.longValue() : Long.MAX_VALUE;
      keys.add(new CallbackVerifier.Key((String) key.get("algorithm"), (String) key.get("key"), until));
    }
    long times = vector.get("times") instanceof Double count ? count.longValue() : 1;
    List<String> found = new ArrayList<>();
    try {
      Clock clock = Clock.fixed(Instant.ofEpochSecond(((Double) set.get("now")).longValue()), ZoneOffset.UTC);
      long skew = ((Double) set.get("clockSkewS")).longValue();
      var verifier =
          new CallbackVerifier(keys, (String) set.get("audience"), (String) set.get("domain"), skew, clock);
      for (int time = 0; time < times; time++) {
        byte[] body = ((String) vector.get("body")).getBytes(StandardCharsets.UTF_8);
        found.add(code(verifier, (String) vector.get("authorization"), body));
      }
    } catch (CallbackVerifier.Refusal refusal) {
      found.add(refusal.code);
    }
    return found.stream().map(code -> '"' + code + '"').collect(Collectors.joining(",", "[", "]"));
  }

  private static String code(CallbackVerifier verifier, String authorization, byte[] body) {
    try {
      verifier.verify(authorization, body);
      return "ok";
    } catch (CallbackVerifier.Refusal refusal) {
      return refusal.code;
    }
  }
}
