<?php
declare(strict_types=1);

namespace Carillon;

/** A callback that is not to be trusted, or a key that cannot check one. */
final class CallbackRefusal extends \RuntimeException
{
    /** `refusal` is for programs to compare, `reason` the cause and `advice` the step that mends it. */
    public function __construct(
        public readonly string $refusal,
        public readonly string $reason,
        public readonly string $advice,
    ) {
        parent::__construct("$reason $advice");
    }
}

/** Remembers used tokens. PHP forgets everything after a request: bring a store that the processes share. */
interface ReplayMemory
{
    /** True the first time a token is shown; `until`: epoch seconds after which it may be forgotten. */
    public function isFirst(string $token, float $until, float $now): bool;
}

/** A memory in this process, for long-running servers and tests. A full one forgets its oldest token. */
final class ProcessMemory implements ReplayMemory
{
    /** @var array<string, float> */
    private array $seen = [];

    public function __construct(private readonly int $most = 100_000)
    {
    }

    public function isFirst(string $token, float $until, float $now): bool
    {
        if (($this->seen[$token] ?? -INF) >= $now) {
            return false;
        }
        foreach ($this->seen as $oldest => $end) {
            if ($end >= $now && count($this->seen) < $this->most) {
                break;
            }
            unset($this->seen[$oldest]);
        }
        $this->seen[$token] = $until;
        return true;
    }
}

/** Checks the callbacks of the platform with PHP 8.1 and later and its extensions openssl and sodium. */
final class CallbackVerifier
{
    private const LONGEST_TOKEN = 8192;
    private const LEAST_RSA_BITS = 2048;
    /** DER of an Ed25519 public key before its 32 bytes (RFC 8410 4). */
    private const ED25519_PREFIX = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";

    /** @var list<array{string, float, \Closure(string, string): bool}> */
    private array $checks = [];

    /**
     * @param list<array{algorithm: string, key: string, acceptedUntil?: int|float}> $keys all keys that may sign now;
     *   the algorithm is never read from the token; `acceptedUntil` in epoch seconds ends a change of keys
     * @param string $audience origin of this application as configured in the platform
     * @param string|null $domain the tenant; null: every tenant that has one of the keys
     * @param (\Closure(): float)|null $now epoch seconds
     */
    public function __construct(
        array $keys,
        private readonly string $audience,
        private readonly ?string $domain = null,
        private readonly ReplayMemory $replay = new ProcessMemory(),
        private readonly float $clockSkew = 60,
        private readonly ?\Closure $now = null,
    ) {
        foreach ($keys as $key) {
            $until = (float) ($key['acceptedUntil'] ?? INF);
            $this->checks[] = [$key['algorithm'], $until, self::scheme($key['algorithm'], $key['key'])];
        }
    }

    /**
     * The claims of the token; throws CallbackRefusal. `body` is the raw body: `file_get_contents('php://input')`.
     *
     * @return array<string, mixed>
     */
    public function verify(?string $authorization, string $body): array
    {
        $now = $this->now === null ? microtime(true) : ($this->now)();
        [$algorithm, $claims, $signed, $signature] = self::readToken($authorization ?? '');
        $this->checkSignature($algorithm, $signed, $signature, $now);
        self::checkKinds($claims);
        $this->checkClaims($claims, $now);
        if (hash('sha256', $body) !== $claims['bodySha256']) {
            throw new CallbackRefusal(
                'bodyChanged',
                'The body is not the one that was signed.',
                'Pass the raw bytes of the body: once parsed and written again it has another hash.',
            );
        }
        if (!$this->replay->isFirst("{$claims['iss']} {$claims['jti']}", $claims['exp'] + $this->clockSkew, $now)) {
            throw new CallbackRefusal(
                'replayed',
                "The token {$claims['jti']} was used before.",
                'Look for a proxy that sends requests twice; the platform signs every attempt by itself.',
            );
        }
        return $claims;
    }

    private function checkSignature(string $algorithm, string $signed, string $signature, float $now): void
    {
        $hasKey = false;
        foreach ($this->checks as [$own, $until, $verifies]) {
            if ($own !== $algorithm || $now >= $until) {
                continue;
            }
            $hasKey = true;
            if ($verifies($signature, $signed)) {
                return;
            }
        }
        if (!$hasKey) {
            $shown = substr($algorithm, 0, 16);
            throw new CallbackRefusal(
                'algorithmNotAllowed',
                "The token is signed with $shown, and no key of this verifier has that algorithm.",
                'Add the public key of the restAuthentication entry with its type; '
                    . 'for copies of carillon listen the secret that it prints, with HS256.',
            );
        }
        throw new CallbackRefusal(
            'signatureInvalid',
            "No $algorithm key of this verifier made the signature.",
            'Compare the key with that of the restAuthentication entry, or with the secret that carillon listen '
                . 'printed at this start; keep the old key while a new one is rolled out.',
        );
    }

    /** @param array<string, mixed> $claims */
    private function checkClaims(array $claims, float $now): void
    {
        $clock = 'Set the clock of this machine and of the site by NTP.';
        if ($claims['aud'] !== $this->audience) {
            $shown = substr($claims['aud'], 0, 200);
            throw new CallbackRefusal(
                'audienceWrong',
                "The token is for $shown, and this application is {$this->audience}.",
                'Set audience to the origin of the callbackBaseUrl, with its port when that is not 443.',
            );
        }
        if ($this->domain !== null && $claims['iss'] !== $this->domain) {
            $shown = substr($claims['iss'], 0, 200);
            throw new CallbackRefusal(
                'issuerWrong',
                "The token is from the tenant $shown, and {$this->domain} is expected.",
                'Set domain to the tenant, or give every tenant a key of its own.',
            );
        }
        if ($claims['iat'] > $now + $this->clockSkew) {
            $ahead = round($claims['iat'] - $now);
            throw new CallbackRefusal('issuedInFuture', "The token was issued $ahead s in the future.", $clock);
        }
        if ($claims['exp'] < $now - $this->clockSkew) {
            $ago = round($now - $claims['exp']);
            throw new CallbackRefusal('expired', "The token expired $ago s ago.", $clock);
        }
    }

    /** @param array<string, mixed> $claims */
    private static function checkKinds(array $claims): void
    {
        foreach (['iss', 'aud', 'iat', 'exp', 'jti', 'bodySha256'] as $name) {
            $value = $claims[$name] ?? null;
            $isNumber = $name === 'iat' || $name === 'exp';
            if (!($isNumber ? is_int($value) || is_float($value) : is_string($value))) {
                throw new CallbackRefusal(
                    'claimMissing',
                    "The token has no claim $name that is a " . ($isNumber ? 'number' : 'string') . '.',
                    'Take tokens of the platform alone: another program signs with this key.',
                );
            }
        }
    }

    /** @return array{string, array<string, mixed>, string, string} */
    private static function readToken(string $authorization): array
    {
        if (preg_match('/^bearer +([^\s]+)\s*$/iD', $authorization, $found) !== 1) {
            throw new CallbackRefusal(
                'tokenMissing',
                'The request has no bearer token.',
                'Give the receiver a restAuthentication entry with a type and a secret, '
                    . 'and let the web server pass Authorization on.',
            );
        }
        $parts = explode('.', $found[1]);
        if (strlen($found[1]) > self::LONGEST_TOKEN || count($parts) !== 3) {
            throw self::malformed('is no JWT of three parts');
        }
        $header = self::object($parts[0], 'header');
        if (array_key_exists('crit', $header)) {
            throw self::malformed('asks for extensions in crit that are not known');
        }
        $algorithm = is_string($header['alg'] ?? null) ? $header['alg'] : '';
        $claims = self::object($parts[1], 'payload');
        return [$algorithm, $claims, "$parts[0].$parts[1]", self::decoded($parts[2], 'signature')];
    }

    private static function malformed(string $fault): CallbackRefusal
    {
        return new CallbackRefusal(
            'tokenMalformed',
            "The bearer token $fault.",
            'Look whether another program than the platform posts to this address.',
        );
    }

    private static function decoded(string $text, string $part): string
    {
        $bytes = preg_match('/^[\w-]*$/D', $text) === 1 ? base64_decode(strtr($text, '-_', '+/'), true) : false;
        return $bytes === false ? throw self::malformed("has a $part that is no base64url") : $bytes;
    }

    /** @return array<string, mixed> */
    private static function object(string $text, string $part): array
    {
        $json = self::decoded($text, $part);
        $value = json_decode($json, true);
        if (!is_array($value) || !str_starts_with(ltrim($json), '{')) {
            throw self::malformed("has a $part that is no JSON object");
        }
        return $value;
    }

    /** @return \Closure(string, string): bool */
    private static function scheme(string $algorithm, string $given): \Closure
    {
        if ($algorithm === 'HS256') {
            return self::sharedSecret($given);
        }
        if (!str_contains($given, '-----BEGIN PUBLIC KEY-----')) {
            throw self::unsuitable("The $algorithm key is no public key in PEM.");
        }
        if ($algorithm === 'EdDSA') {
            $der = base64_decode(preg_replace('/-----[A-Z ]+-----|\s/', '', $given), true);
            if ($der === false || strlen($der) !== 44 || !str_starts_with($der, self::ED25519_PREFIX)) {
                throw self::unsuitable("The public key does not fit $algorithm.");
            }
            $public = substr($der, 12);
            return fn (string $signature, string $signed): bool => strlen($signature) === 64
                && sodium_crypto_sign_verify_detached($signature, $signed, $public);
        }
        $key = openssl_pkey_get_public($given);
        $details = $key === false ? [] : openssl_pkey_get_details($key);
        $type = $details['type'] ?? -1;
        $isRsa = $type === OPENSSL_KEYTYPE_RSA && $details['bits'] >= self::LEAST_RSA_BITS;
        $isP256 = $type === OPENSSL_KEYTYPE_EC && ($details['ec']['curve_name'] ?? '') === 'prime256v1';
        return match (true) {
            $algorithm === 'RS256' && $isRsa => fn (string $signature, string $signed): bool =>
                openssl_verify($signed, $signature, $key, OPENSSL_ALGO_SHA256) === 1,
            $algorithm === 'RS512' && $isRsa => fn (string $signature, string $signed): bool =>
                openssl_verify($signed, $signature, $key, OPENSSL_ALGO_SHA512) === 1,
            $algorithm === 'ES256' && $isP256 => fn (string $signature, string $signed): bool =>
                strlen($signature) === 64
                && openssl_verify($signed, self::der($signature), $key, OPENSSL_ALGO_SHA256) === 1,
            default => throw self::unsuitable("The public key does not fit $algorithm."),
        };
    }

    /** r and s side by side (RFC 7518 3.4) as OpenSSL wants them. */
    private static function der(string $signature): string
    {
        $integer = function (string $half): string {
            $short = ltrim($half, "\0");
            $positive = $short === '' || ord($short[0]) > 0x7f ? "\0$short" : $short;
            return "\x02" . chr(strlen($positive)) . $positive;
        };
        $both = $integer(substr($signature, 0, 32)) . $integer(substr($signature, 32));
        return "\x30" . chr(strlen($both)) . $both;
    }

    private static function unsuitable(string $reason): CallbackRefusal
    {
        return new CallbackRefusal(
            'keyUnsuitable',
            $reason,
            'Give each key the algorithm of its pair (RS256, RS512, ES256, EdDSA), and the text of its public key.',
        );
    }

    /** @return \Closure(string, string): bool */
    private static function sharedSecret(string $secret): \Closure
    {
        if ($secret === '' || preg_match('/-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----/', $secret) === 1) {
            throw self::unsuitable('The secret of the HS256 key is empty or a public key, which everybody may know.');
        }
        return fn (string $signature, string $signed): bool =>
            hash_equals(hash_hmac('sha256', $signed, $secret, true), $signature);
    }
}
