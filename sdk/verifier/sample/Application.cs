using System.Text;
using Carillon;

// The smallest application in C#: it checks each callback of the platform, and answers an alarm.

// They decide about a person who waits. One that this program cannot answer is left to the fallback of the platform.
var undecided = new HashSet<string> { "newCall", "callEvent", "getIvrCommand", "newRemoteCall" };

var key = new CallbackKey(Setting("ALGORITHM", "ES256"), Setting("KEY", ""));
var verifier = new CallbackVerifier(new[] { key }, Setting("AUDIENCE", ""), Setting("ISSUER", ""));
var address = "http://127.0.0.1:" + Setting("PORT", "3000");

var builder = WebApplication.CreateBuilder(args);
builder.Logging.ClearProviders();
var app = builder.Build();
app.MapPost("/{**path}", async (HttpRequest request, string? path) =>
{
    var name = (path ?? "").Split('/')[^1];
    using var raw = new MemoryStream();
    await request.Body.CopyToAsync(raw);
    var body = raw.ToArray();
    try
    {
        verifier.Verify(request.Headers.Authorization.ToString(), body);
    }
    catch (CallbackRefusal refusal)
    {
        Console.WriteLine($"{name} refused: {refusal.Message}");
        return Results.Json(new { reason = refusal.Message }, statusCode: 401);
    }
    Console.WriteLine($"{name} {Encoding.UTF8.GetString(body)}");
    // A repeat of an event gets the same answer.
    if (name == "newAlarmbridgeEvent") return Results.Json(new { action = "callEmergencyCenter" });
    if (undecided.Contains(name)) return Results.Json(new { reason = $"{name} is not answered here." }, statusCode: 501);
    return Results.Json(new { });
});
app.Lifetime.ApplicationStarted.Register(() => Console.WriteLine($"takes callbacks at {address}"));
app.Run(address);

static string Setting(string name, string otherwise) =>
    Environment.GetEnvironmentVariable(name) is { Length: > 0 } given ? given : otherwise;
