import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks the callbacks of the platform with Java 17 and its standard library alone. Threads may share one. */
public final class CallbackVerifier {
  private static final int LONGEST_TOKEN = 8192;
  private static final int LEAST_RSA_BITS = 2048;
  private static final int REMEMBERED_TOKENS = 100_000;
  private static final String CLOCKS = "Set the clock of this machine and of the site by NTP.";

  /** A callback that is not to be trusted, or a key that cannot check one. */
  public static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    /** For programs to compare. */
    public final String code;
    /** The cause. */
    public final String reason;
    /** The step that mends it. */
    public final String advice;

    Refusal(String code, String reason, String advice) {
      super(reason + " " + advice);
      this.code = code;
      this.reason = reason;
      this.advice = advice;
    }
  }

  /**
   * A key that callbacks may be signed with; its algorithm is never read from the token.
   *
   * @param algorithm RS256, RS512, ES256, EdDSA or HS256
   * @param key the public key in PEM, or the shared secret for HS256
   * @param acceptedUntil end of a change of keys, epoch seconds; Long.MAX_VALUE: none
   */
  public record Key(String algorithm, String key, long acceptedUntil) {
    public Key(String algorithm, String key) {
      this(algorithm, key, Long.MAX_VALUE);
    }
  }

  private interface Check {
    boolean verifies(byte[] signature, byte[] signed) throws GeneralSecurityException;
  }

  private record ReadyKey(Key key, Check check) {}

  private final List<ReadyKey> keys = new ArrayList<>();
  private final String audience;
  private final String domain;
  private final long clockSkew;
  private final Clock clock;
  private final LinkedHashMap<String, Double> seen = new LinkedHashMap<>();

  /**
   * @param keys all keys that may sign now: old and new while keys change
   * @param audience origin of this application as configured in the platform
   * @param domain the tenant; null: every tenant that has one of the keys
   * @param clockSkew accepted difference between the clocks, seconds
   */
  public CallbackVerifier(List<Key> keys, String audience, String domain, long clockSkew, Clock clock)
      throws Refusal {
    for (Key key : keys) this.keys.add(new ReadyKey(key, scheme(key)));
    this.audience = audience;
    this.domain = domain;
    this.clockSkew = clockSkew;
    this.clock = clock;
  }

  public CallbackVerifier(List<Key> keys, String audience, String domain) throws Refusal {
    this(keys, audience, domain, 60, Clock.systemUTC());
  }

  /** The claims of the token. `body` is the raw body as it arrived. */
  public Map<String, Object> verify(String authorization, byte[] body) throws Refusal {
    double now = clock.millis() / 1000.0;
    var found = Pattern.compile("(?i)^bearer +([^\\s]+)\\s*$").matcher(authorization == null ? "" : authorization);
    if (!found.matches())
      throw new Refusal("tokenMissing", "The request has no bearer token.",
          "Give the receiver a restAuthentication entry with a type and a secret, and let the proxy in front pass Authorization on.");
    String[] parts = found.group(1).split("\\.", -1);
    if (found.group(1).length() > LONGEST_TOKEN || parts.length != 3) throw malformed("is no JWT of three parts");
    Map<String, Object> header = object(parts[0], "header");
    if (header.containsKey("crit")) throw malformed("asks for extensions in crit that are not known");
    Map<String, Object> claims = object(parts[1], "payload");
    byte[] signed = (parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII);
    checkSignature(String.valueOf(header.get("alg")), signed, decoded(parts[2], "signature"), now);
    checkClaims(claims, now);
    checkBody(claims, body);
    double until = number(claims, "exp") + clockSkew;
    if (!isFirst(claims.get("iss") + " " + claims.get("jti"), until, now))
      throw new Refusal("replayed", "The token " + claims.get("jti") + " was used before.",
          "Look for a proxy that sends requests twice; the platform signs every attempt by itself.");
    return claims;
  }

  private void checkSignature(String algorithm, byte[] signed, byte[] signature, double now) throws Refusal {
    boolean hasKey = false;
    for (ReadyKey each : keys) {
      if (!each.key.algorithm.equals(algorithm) || now >= each.key.acceptedUntil) continue;
      hasKey = true;
      try {
        if (each.check.verifies(signature, signed)) return;
      } catch (GeneralSecurityException notOne) {
        // A signature of the wrong form is no signature.
      }
    }
    if (!hasKey)
      throw new Refusal("algorithmNotAllowed",
          "The token is signed with " + shown(algorithm, 16) + ", and no key of this verifier has that algorithm.",
          "Add the public key of the restAuthentication entry with its type; for copies of carillon listen the secret that it prints, with HS256.");
    throw new Refusal("signatureInvalid", "No " + algorithm + " key of this verifier made the signature.",
        "Compare the key with that of the restAuthentication entry, or with the secret that carillon listen printed at this start; keep the old key while a new one is rolled out.");
  }

  private void checkClaims(Map<String, Object> claims, double now) throws Refusal {
    String iss = text(claims, "iss");
    String aud = text(claims, "aud");
    double iat = number(claims, "iat");
    double exp = number(claims, "exp");
    text(claims, "jti");
    text(claims, "bodySha256");
    if (!aud.equals(audience))
      throw new Refusal("audienceWrong", "The token is for " + shown(aud, 200) + ", and this application is " + audience + ".",
          "Set audience to the origin of the callbackBaseUrl, with its port when that is not 443.");
    if (domain != null && !iss.equals(domain))
      throw new Refusal("issuerWrong", "The token is from the tenant " + shown(iss, 200) + ", and " + domain + " is expected.",
          "Set domain to the tenant, or give every tenant a key of its own.");
    if (iat > now + clockSkew)
      throw new Refusal("issuedInFuture", "The token was issued " + Math.round(iat - now) + " s in the future.", CLOCKS);
    if (exp < now - clockSkew)
      throw new Refusal("expired", "The token expired " + Math.round(now - exp) + " s ago.", CLOCKS);
  }

  private static void checkBody(Map<String, Object> claims, byte[] body) throws Refusal {
    try {
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
      if (hash.equals(claims.get("bodySha256"))) return;
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException(absent);
    }
    throw new Refusal("bodyChanged", "The body is not the one that was signed.",
        "Pass the raw bytes of the body: once parsed and written again it has another hash.");
  }

  /** Remembers a token until its end. A full memory forgets its oldest token and refuses none. */
  private synchronized boolean isFirst(String token, double until, double now) {
    Double known = seen.get(token);
    if (known != null && known >= now) return false;
    var oldest = seen.entrySet().iterator();
    while (oldest.hasNext()) {
      if (oldest.next().getValue() >= now && seen.size() < REMEMBERED_TOKENS) break;
      oldest.remove();
    }
    seen.remove(token);
    seen.put(token, until);
    return true;
  }

  private static String shown(String text, int most) {
    return text.substring(0, Math.min(most, text.length()));
  }

  private static Refusal missing(String name, String kind) {
    return new Refusal("claimMissing", "The token has no claim " + name + " that is a " + kind + ".",
        "Take tokens of the platform alone: another program signs with this key.");
  }

  private static String text(Map<String, Object> claims, String name) throws Refusal {
    if (claims.get(name) instanceof String value) return value;
    throw missing(name, "string");
  }

  private static double number(Map<String, Object> claims, String name) throws Refusal {
    if (claims.get(name) instanceof Double value) return value;
    throw missing(name, "number");
  }

  private static Refusal malformed(String fault) {
    return new Refusal("tokenMalformed", "The bearer token " + fault + ".",
        "Look whether another program than the platform posts to this address.");
  }

  private static byte[] decoded(String text, String part) throws Refusal {
    try {
      return Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException fault) {
      throw malformed("has a " + part + " that is no base64url");
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(String text, String part) throws Refusal {
    byte[] bytes = decoded(text, part);
    try {
      String json = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (new Json(json).read() instanceof Map<?, ?> map) return (Map<String, Object>) map;
    } catch (CharacterCodingException | IllegalArgumentException fault) {
      // The sentence below says it.
    }
    throw malformed("has a " + part + " that is no JSON object");
  }

  private static Check scheme(Key given) throws Refusal {
    if (given.algorithm.equals("HS256")) return sharedSecret(given.key);
    var pem = Pattern.compile("-----BEGIN PUBLIC KEY-----(.+?)-----END PUBLIC KEY-----", Pattern.DOTALL).matcher(given.key);
    if (!pem.find()) throw unsuitable("The " + given.algorithm + " key is no public key in PEM.");
    String family = switch (given.algorithm) {
      case "RS256", "RS512" -> "RSA";
      case "ES256" -> "EC";
      case "EdDSA" -> "Ed25519";
      default -> throw unsuitable("The algorithm " + given.algorithm + " is not known.");
    };
    PublicKey key;
    try {
      byte[] der = Base64.getMimeDecoder().decode(pem.group(1));
      key = KeyFactory.getInstance(family).generatePublic(new X509EncodedKeySpec(der));
    } catch (GeneralSecurityException | IllegalArgumentException fault) {
      throw unsuitable("The public key does not fit " + given.algorithm + ".");
    }
    if (key instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() < LEAST_RSA_BITS)
      throw unsuitable("The RSA key has " + rsa.getModulus().bitLength() + " bits, and " + LEAST_RSA_BITS + " are the least.");
    if (key instanceof ECPublicKey ec && !ec.getParams().toString().contains("secp256r1"))
      throw unsuitable("The key of ES256 is not on the curve P-256.");
    String name = switch (given.algorithm) {
      case "RS256" -> "SHA256withRSA";
      case "RS512" -> "SHA512withRSA";
      case "ES256" -> "SHA256withECDSAinP1363Format";
      default -> "Ed25519";
    };
    return (signature, signed) -> {
      Signature verifier = Signature.getInstance(name);
      verifier.initVerify(key);
      verifier.update(signed);
      return verifier.verify(signature);
    };
  }

  private static Refusal unsuitable(String reason) {
    return new Refusal("keyUnsuitable", reason,
        "Give each key the algorithm of its pair (RS256, RS512, ES256, EdDSA), and the text of its public key.");
  }

  private static Check sharedSecret(String secret) throws Refusal {
    if (secret.isEmpty() || Pattern.compile("-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----").matcher(secret).find())
      throw unsuitable("The secret of the HS256 key is empty or a public key, which everybody may know.");
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    return (signature, signed) -> {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
      return MessageDigest.isEqual(signature, mac.doFinal(signed));
    };
  }

  /** JSON (RFC 8259) as maps, lists, texts, doubles, booleans and null; the standard library has none. */
  static final class Json {
    private static final int DEEPEST = 32;
    private final String text;
    private int at;
    private int depth;

    Json(String text) {
      this.text = text;
    }

    /** The value; throws IllegalArgumentException. */
    Object read() {
      Object value = value();
      if (skip() != '\0') throw fault();
      return value;
    }

    private IllegalArgumentException fault() {
      return new IllegalArgumentException("no JSON at " + at);
    }

    private char skip() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean took(char wanted) {
      if (skip() != wanted) return false;
      at++;
      return true;
    }

    private void take(char wanted) {
      if (!took(wanted)) throw fault();
    }

    private Object value() {
      if (++depth > DEEPEST) throw fault();
      Object value = switch (skip()) {
        case '{' -> map();
        case '[' -> list();
        case '"' -> string();
        case 't' -> word("true", Boolean.TRUE);
        case 'f' -> word("false", Boolean.FALSE);
        case 'n' -> word("null", null);
        default -> number();
      };
      depth--;
      return value;
    }

    private Object word(String word, Object value) {
      if (!text.startsWith(word, at)) throw fault();
      at += word.length();
      return value;
    }

    private Double number() {
      var found = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?").matcher(text).region(at, text.length());
      if (!found.lookingAt()) throw fault();
      at = found.end();
      return Double.valueOf(found.group());
    }

    private Map<String, Object> map() {
      Map<String, Object> map = new LinkedHashMap<>();
      take('{');
      if (took('}')) return map;
      do {
        skip();
        String name = string();
        take(':');
        map.put(name, value());
      } while (took(','));
      take('}');
      return map;
    }

    private List<Object> list() {
      List<Object> list = new ArrayList<>();
      take('[');
      if (took(']')) return list;
      do list.add(value());
      while (took(','));
      take(']');
      return list;
    }

    private String string() {
      take('"');
      StringBuilder string = new StringBuilder();
      while (true) {
        if (at >= text.length()) throw fault();
        char next = text.charAt(at++);
        if (next == '"') return string.toString();
        if (next < ' ') throw fault();
        string.append(next == '\\' ? escaped() : next);
      }
    }

    private char escaped() {
      if (at >= text.length()) throw fault();
      char next = text.charAt(at++);
      int plain = "\"\\/bfnrt".indexOf(next);
      if (plain >= 0) return "\"\\/\b\f\n\r\t".charAt(plain);
      if (next != 'u' || at + 4 > text.length()) throw fault();
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }
  }
}
