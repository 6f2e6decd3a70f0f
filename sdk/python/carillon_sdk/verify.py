"""Checks the callbacks of the platform: signature, tenant, receiver, time, body, and each token once."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils
except ImportError:  # HS256 needs the standard library alone.
    hashes = None

_LONGEST_TOKEN = 8192
_LEAST_RSA_BITS = 2048
_REMEMBERED_TOKENS = 100_000


class CallbackRefusal(Exception):
    """A callback that is not to be trusted, or a key that cannot check one."""

    def __init__(self, code: str, reason: str, advice: str) -> None:
        super().__init__(f"{reason} {advice}")
        self.code = code
        #: One sentence for a person: the cause.
        self.reason = reason
        #: One sentence for a person: the step that mends it.
        self.advice = advice


@dataclass(frozen=True)
class Key:
    """A key that callbacks may be signed with. Its algorithm is never read from the token.

    ``key`` is the public key in PEM, or the shared secret for HS256. ``accepted_until`` is the end of a change of
    keys in epoch seconds.
    """

    algorithm: str
    key: str
    accepted_until: Optional[float] = None


class ReplayMemory:
    """Used tokens in this process, bounded. A full memory forgets its oldest token and refuses none."""

    def __init__(self, most: int = _REMEMBERED_TOKENS) -> None:
        self._most = most
        self._seen: "OrderedDict[str, float]" = OrderedDict()
        self._lock = threading.Lock()

    def is_first(self, token: str, until: float, now: float) -> bool:
        """True the first time a token is shown; ``until``: epoch seconds after which it may be forgotten."""
        with self._lock:
            if self._seen.get(token, float("-inf")) >= now:
                return False
            while self._seen:
                oldest = next(iter(self._seen))
                if self._seen[oldest] >= now and len(self._seen) < self._most:
                    break
                del self._seen[oldest]
            self._seen[token] = until
            return True


class Verifier:
    """Checks callbacks; several threads may share one."""

    def __init__(
        self,
        keys: Iterable[Key],
        audience: Union[str, Sequence[str]],
        domain: Union[None, str, Sequence[str]] = None,
        clock_skew: float = 60,
        replay: Optional[ReplayMemory] = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._keys = [(key, _ready(key)) for key in keys]
        self._audiences = _list(audience)
        self._domains = None if domain is None else _list(domain)
        self._skew = clock_skew
        self._replay = ReplayMemory() if replay is None else replay
        self._now = now

    def verify(self, authorization: Optional[str], body: bytes) -> Mapping[str, Any]:
        """The claims of the token; raises ``CallbackRefusal``. ``body`` is the raw body as it arrived."""
        now = self._now()
        algorithm, claims, signed, signature = _read_token(authorization)
        self._check_signature(algorithm, signed, signature, now)
        _check_claims(claims)
        self._check_parties(claims)
        self._check_time(claims, now)
        if hashlib.sha256(body).hexdigest() != claims["bodySha256"]:
            raise CallbackRefusal(
                "bodyChanged",
                "The body is not the one that was signed.",
                "Pass the raw bytes of the body: once parsed and written again it has another hash.",
            )
        if not self._replay.is_first(f'{claims["iss"]} {claims["jti"]}', claims["exp"] + self._skew, now):
            raise CallbackRefusal(
                "replayed",
                f'The token {claims["jti"]} was used before.',
                "Look for a proxy that sends requests twice; the platform signs every attempt by itself.",
            )
        return claims

    def _check_signature(self, algorithm: str, signed: bytes, signature: bytes, now: float) -> None:
        fitting = [
            verifies
            for key, verifies in self._keys
            if key.algorithm == algorithm and (key.accepted_until is None or now < key.accepted_until)
        ]
        if not fitting:
            raise CallbackRefusal(
                "algorithmNotAllowed",
                f"The token is signed with {algorithm[:16]}, and no key of this verifier has that algorithm.",
                "Add the public key of the restAuthentication entry with its type; "
                "for copies of carillon listen the secret that it prints, with HS256.",
            )
        if not any(verifies(signature, signed) for verifies in fitting):
            raise CallbackRefusal(
                "signatureInvalid",
                f"No {algorithm} key of this verifier made the signature.",
                "Compare the key with that of the restAuthentication entry, or with the secret that carillon listen "
                "printed at this start; keep the old key while a new one is rolled out.",
            )

    def _check_parties(self, claims: Mapping[str, Any]) -> None:
        if claims["aud"] not in self._audiences:
            raise CallbackRefusal(
                "audienceWrong",
                f'The token is for {claims["aud"][:200]}, and this application is {" or ".join(self._audiences)}.',
                "Set audience to the origin of the callbackBaseUrl, with its port when that is not 443.",
            )
        if self._domains is not None and claims["iss"] not in self._domains:
            raise CallbackRefusal(
                "issuerWrong",
                f'The token is from the tenant {claims["iss"][:200]}, and {" or ".join(self._domains)} is expected.',
                "Set domain to the tenant, or give every tenant a key of its own.",
            )

    def _check_time(self, claims: Mapping[str, Any], now: float) -> None:
        if claims["iat"] > now + self._skew:
            raise CallbackRefusal(
                "issuedInFuture",
                f'The token was issued {round(claims["iat"] - now)} s in the future.',
                "Set the clock of this machine and of the site by NTP.",
            )
        if claims["exp"] < now - self._skew:
            raise CallbackRefusal(
                "expired",
                f'The token expired {round(now - claims["exp"])} s ago.',
                "Set the clock of this machine and of the site by NTP; take callbacks at once, not from a queue.",
            )


def _list(given: Union[str, Sequence[str]]) -> Sequence[str]:
    return [given] if isinstance(given, str) else list(given)


def _read_token(authorization: Optional[str]) -> "tuple[str, Mapping[str, Any], bytes, bytes]":
    found = re.fullmatch(r"bearer +([^\s]+)\s*", authorization or "", re.IGNORECASE)
    if found is None:
        raise CallbackRefusal(
            "tokenMissing",
            "The request has no bearer token.",
            "Give the receiver a restAuthentication entry with a type and a secret, "
            "and let the proxy in front pass Authorization on.",
        )
    token = found.group(1)
    parts = token.split(".")
    if len(token) > _LONGEST_TOKEN or len(parts) != 3:
        raise _malformed("is no JWT of three parts")
    header = _object(parts[0], "header")
    if "crit" in header:
        raise _malformed("asks for extensions in crit that are not known")
    signed = f"{parts[0]}.{parts[1]}".encode()
    return str(header.get("alg")), _object(parts[1], "payload"), signed, _decoded(parts[2], "signature")


def _malformed(fault: str) -> CallbackRefusal:
    return CallbackRefusal(
        "tokenMalformed",
        f"The bearer token {fault}.",
        "Look whether another program than the platform posts to this address.",
    )


def _decoded(text: str, part: str) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise _malformed(f"has a {part} that is no base64url")
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        raise _malformed(f"has a {part} that is no base64url") from None


def _object(text: str, part: str) -> Mapping[str, Any]:
    try:
        value = json.loads(_decoded(text, part).decode("utf-8"))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _malformed(f"has a {part} that is no JSON object")
    return value


def _check_claims(claims: Mapping[str, Any]) -> None:
    kinds = {"iss": "string", "aud": "string", "iat": "number", "exp": "number", "jti": "string", "bodySha256": "string"}
    for name, kind in kinds.items():
        value = claims.get(name)
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not (isinstance(value, str) if kind == "string" else is_number):
            raise CallbackRefusal(
                "claimMissing",
                f"The token has no claim {name} that is a {kind}.",
                "Take tokens of the platform alone: another program signs with this key.",
            )


def _unsuitable(reason: str, advice: str) -> CallbackRefusal:
    return CallbackRefusal("keyUnsuitable", reason, advice)


def _ready(given: Key) -> Callable[[bytes, bytes], bool]:
    """Reads a key once. A key that does not fit its algorithm is refused here, before the first callback."""
    if given.algorithm == "HS256":
        return _shared_secret(given.key)
    if given.algorithm not in ("RS256", "RS512", "ES256", "EdDSA"):
        raise _unsuitable(
            f"The algorithm {given.algorithm} is not known.", "Use RS256, RS512, ES256, EdDSA or HS256."
        )
    if hashes is None:
        raise _unsuitable(
            f"The package cryptography is absent, which {given.algorithm} needs.",
            "Install it: apt-get install python3-cryptography, or pip install cryptography.",
        )
    if "PRIVATE KEY" in given.key:
        raise _unsuitable(
            f"The {given.algorithm} key is a private key.",
            "Give its public key alone: openssl pkey -in private.pem -pubout.",
        )
    try:
        key = serialization.load_pem_public_key(given.key.encode())
    except ValueError:
        raise _unsuitable(
            f"The {given.algorithm} key is no public key in PEM.",
            "Give the text that begins with -----BEGIN PUBLIC KEY-----.",
        ) from None
    verifies = _scheme(given.algorithm, key)
    if verifies is None:
        raise _unsuitable(
            f"The public key does not fit {given.algorithm}.",
            f"Give each key the algorithm of its pair; an RSA key has {_LEAST_RSA_BITS} bits or more.",
        )
    return verifies


def _shared_secret(secret: str) -> Callable[[bytes, bytes], bool]:
    if not secret:
        raise _unsuitable("The HS256 key has no secret.", "Give the secret of the restAuthentication entry.")
    if re.search(r"-----BEGIN [A-Z ]*(PUBLIC KEY|CERTIFICATE)-----", secret):
        raise _unsuitable(
            "The secret of the HS256 key is a public key, which everybody may know.",
            "Give the algorithm of the key pair: RS256, RS512, ES256 or EdDSA.",
        )
    return lambda signature, signed: hmac.compare_digest(
        signature, hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    )


def _scheme(algorithm: str, key: Any) -> Optional[Callable[[bytes, bytes], bool]]:
    if algorithm in ("RS256", "RS512") and isinstance(key, rsa.RSAPublicKey) and key.key_size >= _LEAST_RSA_BITS:
        digest = hashes.SHA256() if algorithm == "RS256" else hashes.SHA512()
        return _checked(lambda signature, signed: key.verify(signature, signed, padding.PKCS1v15(), digest))
    if algorithm == "ES256" and isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1):
        return _checked(
            lambda signature, signed: key.verify(_der(signature), signed, ec.ECDSA(hashes.SHA256()))
        )
    if algorithm == "EdDSA" and isinstance(key, ed25519.Ed25519PublicKey):
        return _checked(key.verify)
    return None


def _checked(verify: Callable[[bytes, bytes], Any]) -> Callable[[bytes, bytes], bool]:
    def verifies(signature: bytes, signed: bytes) -> bool:
        try:
            verify(signature, signed)
        except InvalidSignature:
            return False
        return True

    return verifies


def _der(signature: bytes) -> bytes:
    """r and s side by side (RFC 7518 3.4) as the library wants them."""
    if len(signature) != 64:
        raise InvalidSignature
    half = int.from_bytes
    return utils.encode_dss_signature(half(signature[:32], "big"), half(signature[32:], "big"))
