#nullable enable
using System;
using System.Collections.Generic;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Carillon;

/// <summary>A callback that is not to be trusted, or a key that cannot check one.</summary>
public sealed class CallbackRefusal : Exception
{
    public CallbackRefusal(string code, string reason, string advice) : base($"{reason} {advice}") =>
        (Code, Reason, Advice) = (code, reason, advice);

    /// <summary>For programs to compare.</summary>
    public string Code { get; }

    /// <summary>The cause.</summary>
    public string Reason { get; }

    /// <summary>The step that mends it.</summary>
    public string Advice { get; }
}

/// <summary>A key that callbacks may be signed with; its algorithm is never read from the token.</summary>
/// <param name="Algorithm">RS256, RS512, ES256 or HS256; .NET 8 has no Ed25519 of its own.</param>
/// <param name="Key">The public key in PEM, or the shared secret for HS256.</param>
/// <param name="AcceptedUntil">End of a change of keys, epoch seconds.</param>
public sealed record CallbackKey(string Algorithm, string Key, long AcceptedUntil = long.MaxValue);

/// <summary>Checks the callbacks of the platform with .NET 8 and its library alone. Threads may share one.</summary>
public sealed class CallbackVerifier
{
    private const int LongestToken = 8192;
    private const int LeastRsaBits = 2048;
    private const int RememberedTokens = 100_000;
    private const string Clocks = "Set the clock of this machine and of the site by NTP.";

    private readonly List<(CallbackKey Key, Func<byte[], byte[], bool> Verifies)> _keys;
    private readonly string _audience;
    private readonly string? _domain;
    private readonly double _clockSkew;
    private readonly TimeProvider _time;
    private readonly Dictionary<string, double> _seen = new();
    private readonly Queue<string> _order = new();

    /// <param name="keys">All keys that may sign now: old and new while keys change.</param>
    /// <param name="audience">Origin of this application as configured in the platform.</param>
    /// <param name="domain">The tenant; null: every tenant that has one of the keys.</param>
    /// <param name="clockSkew">Accepted difference between the clocks, seconds.</param>
    /// <param name="time">The clock; null: that of the system.</param>
    public CallbackVerifier(
        IEnumerable<CallbackKey> keys, string audience, string? domain, double clockSkew = 60, TimeProvider? time = null)
    {
        _keys = keys.Select(key => (key, Scheme(key))).ToList();
        (_audience, _domain, _clockSkew, _time) = (audience, domain, clockSkew, time ?? TimeProvider.System);
    }

    /// <summary>The claims of the token; throws CallbackRefusal. The body is raw, as it arrived.</summary>
    public JsonElement Verify(string? authorization, byte[] body)
    {
        try
        {
            return Checked(authorization, body);
        }
        catch (InvalidOperationException)
        {
            // The parser takes bytes that are no Unicode, and complains of them only where their text is read.
            throw Malformed("has text that is no Unicode");
        }
    }

    private JsonElement Checked(string? authorization, byte[] body)
    {
        var now = _time.GetUtcNow().ToUnixTimeMilliseconds() / 1000.0;
        var found = Regex.Match(authorization ?? "", @"^bearer +([^\s]+)\s*$", RegexOptions.IgnoreCase);
        if (!found.Success)
            throw new CallbackRefusal("tokenMissing", "The request has no bearer token.",
                "Give the receiver a restAuthentication entry with a type and a secret, and let the proxy in front pass Authorization on.");
        var token = found.Groups[1].Value;
        var parts = token.Split('.');
        if (token.Length > LongestToken || parts.Length != 3) throw Malformed("is no JWT of three parts");
        var header = ObjectOf(parts[0], "header");
        if (header.TryGetProperty("crit", out _)) throw Malformed("asks for extensions in crit that are not known");
        var claims = ObjectOf(parts[1], "payload");
        var algorithm = header.TryGetProperty("alg", out var alg) && alg.ValueKind == JsonValueKind.String
            ? alg.GetString() ?? "" : "";
        var signed = Encoding.ASCII.GetBytes($"{parts[0]}.{parts[1]}");
        CheckSignature(algorithm, signed, Decoded(parts[2], "signature"), now);
        CheckClaims(claims, now);
        var hash = Convert.ToHexString(SHA256.HashData(body)).ToLowerInvariant();
        if (hash != Text(claims, "bodySha256"))
            throw new CallbackRefusal("bodyChanged", "The body is not the one that was signed.",
                "Pass the raw bytes of the body: once parsed and written again it has another hash.");
        var jti = Text(claims, "jti");
        if (!IsFirst($"{Text(claims, "iss")} {jti}", Number(claims, "exp") + _clockSkew, now))
            throw new CallbackRefusal("replayed", $"The token {jti} was used before.",
                "Look for a proxy that sends requests twice; the platform signs every attempt by itself.");
        return claims;
    }

    private void CheckSignature(string algorithm, byte[] signed, byte[] signature, double now)
    {
        var fitting = _keys.Where(each => each.Key.Algorithm == algorithm && now < each.Key.AcceptedUntil).ToList();
        if (fitting.Count == 0)
            throw new CallbackRefusal("algorithmNotAllowed",
                $"The token is signed with {Shown(algorithm, 16)}, and no key of this verifier has that algorithm.",
                "Add the public key of the restAuthentication entry with its type; for copies of carillon listen the secret that it prints, with HS256.");
        if (!fitting.Any(each => each.Verifies(signature, signed)))
            throw new CallbackRefusal("signatureInvalid", $"No {algorithm} key of this verifier made the signature.",
                "Compare the key with that of the restAuthentication entry, or with the secret that carillon listen printed at this start; keep the old key while a new one is rolled out.");
    }

    private void CheckClaims(JsonElement claims, double now)
    {
        var (iss, aud) = (Text(claims, "iss"), Text(claims, "aud"));
        var (iat, exp) = (Number(claims, "iat"), Number(claims, "exp"));
        Text(claims, "jti");
        Text(claims, "bodySha256");
        if (aud != _audience)
            throw new CallbackRefusal("audienceWrong",
                $"The token is for {Shown(aud, 200)}, and this application is {_audience}.",
                "Set audience to the origin of the callbackBaseUrl, with its port when that is not 443.");
        if (_domain != null && iss != _domain)
            throw new CallbackRefusal("issuerWrong",
                $"The token is from the tenant {Shown(iss, 200)}, and {_domain} is expected.",
                "Set domain to the tenant, or give every tenant a key of its own.");
        if (iat > now + _clockSkew)
            throw new CallbackRefusal("issuedInFuture", $"The token was issued {iat - now:F0} s in the future.", Clocks);
        if (exp < now - _clockSkew)
            throw new CallbackRefusal("expired", $"The token expired {now - exp:F0} s ago.", Clocks);
    }

    /// <summary>Remembers a token until its end. A full memory forgets its oldest token and refuses none.</summary>
    private bool IsFirst(string token, double until, double now)
    {
        lock (_seen)
        {
            if (_seen.TryGetValue(token, out var known) && known >= now) return false;
            while (_order.TryPeek(out var oldest) && (_seen[oldest] < now || _order.Count >= RememberedTokens))
                _seen.Remove(_order.Dequeue());
            if (_seen.TryAdd(token, until)) _order.Enqueue(token);
            else _seen[token] = until;
            return true;
        }
    }

    private static string Shown(string text, int most) => text[..Math.Min(most, text.Length)];

    private static CallbackRefusal Missing(string name, string kind) =>
        new("claimMissing", $"The token has no claim {name} that is a {kind}.",
            "Take tokens of the platform alone: another program signs with this key.");

    private static string Text(JsonElement claims, string name) =>
        claims.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()! : throw Missing(name, "string");

    private static double Number(JsonElement claims, string name) =>
        claims.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.Number
            ? value.GetDouble() : throw Missing(name, "number");

    private static CallbackRefusal Malformed(string fault) =>
        new("tokenMalformed", $"The bearer token {fault}.",
            "Look whether another program than the platform posts to this address.");

    private static byte[] Decoded(string text, string part)
    {
        try
        {
            if (!Regex.IsMatch(text, @"^[A-Za-z0-9_-]*\z")) throw new FormatException();
            var base64 = text.Replace('-', '+').Replace('_', '/');
            return Convert.FromBase64String(base64.PadRight((base64.Length + 3) / 4 * 4, '='));
        }
        catch (FormatException)
        {
            throw Malformed($"has a {part} that is no base64url");
        }
    }

    private static JsonElement ObjectOf(string text, string part)
    {
        try
        {
            using var document = JsonDocument.Parse(Decoded(text, part));
            if (document.RootElement.ValueKind == JsonValueKind.Object) return document.RootElement.Clone();
        }
        catch (JsonException)
        {
            // The sentence below says it.
        }
        throw Malformed($"has a {part} that is no JSON object");
    }

    private static CallbackRefusal Unsuitable(string reason) =>
        new("keyUnsuitable", reason,
            "Give each key the algorithm of its pair (RS256, RS512, ES256), and the text of its public key.");

    private static Func<byte[], byte[], bool> Scheme(CallbackKey given)
    {
        if (given.Algorithm == "HS256") return SharedSecret(given.Key);
        if (given.Algorithm is not ("RS256" or "RS512" or "ES256"))
            throw Unsuitable($"The algorithm {given.Algorithm} is not known to .NET 8.");
        if (!given.Key.Contains("-----BEGIN PUBLIC KEY-----"))
            throw Unsuitable($"The {given.Algorithm} key is no public key in PEM.");
        try
        {
            return given.Algorithm == "ES256" ? Curve(given.Key) : Rsa(given.Key, given.Algorithm);
        }
        catch (Exception fault) when (fault is CryptographicException or ArgumentException)
        {
            throw Unsuitable($"The public key does not fit {given.Algorithm}.");
        }
    }

    private static Func<byte[], byte[], bool> Rsa(string pem, string algorithm)
    {
        var key = RSA.Create();
        key.ImportFromPem(pem);
        if (key.KeySize < LeastRsaBits)
            throw Unsuitable($"The RSA key has {key.KeySize} bits, and {LeastRsaBits} are the least.");
        var hash = algorithm == "RS256" ? HashAlgorithmName.SHA256 : HashAlgorithmName.SHA512;
        return (signature, signed) =>
        {
            lock (key) return key.VerifyData(signed, signature, hash, RSASignaturePadding.Pkcs1);
        };
    }

    private static Func<byte[], byte[], bool> Curve(string pem)
    {
        var key = ECDsa.Create();
        key.ImportFromPem(pem);
        if (key.ExportParameters(false).Curve.Oid.Value != "1.2.840.10045.3.1.7")
            throw Unsuitable("The key of ES256 is not on the curve P-256.");
        return (signature, signed) =>
        {
            lock (key)
                return signature.Length == 64 && key.VerifyData(
                    signed, signature, HashAlgorithmName.SHA256, DSASignatureFormat.IeeeP1363FixedFieldConcatenation);
        };
    }

    private static Func<byte[], byte[], bool> SharedSecret(string secret)
    {
        if (secret == "" || Regex.IsMatch(secret, "-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----"))
            throw Unsuitable("The secret of the HS256 key is empty or a public key, which everybody may know.");
        var bytes = Encoding.UTF8.GetBytes(secret);
        return (signature, signed) =>
            CryptographicOperations.FixedTimeEquals(HMACSHA256.HashData(bytes, signed), signature);
    }
}
