"""Calls the API, with repeats of failures that pass and an Idempotency-Key for every POST."""

from __future__ import annotations

import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import Any, Callable, Iterator, Mapping, Optional, Union

_PASSING = frozenset((None, 429, 502, 503, 504))
_FIRST_PAUSE = 0.25
_LONGEST_PAUSE = 30.0


class ApiFailure(Exception):
    """A call that failed: ``unreachable`` without an answer, ``notUnderstood`` when it is no answer of this API."""

    def __init__(self, code: str, reason: str, status: Optional[int], attempts: int) -> None:
        super().__init__(reason)
        self.code = code
        self.status = status
        self.attempts = attempts


class Client:
    """``Client(base_url, token).call("GET", "/provisioning/device/care.example", query={"limit": 10})``."""

    def __init__(
        self,
        base_url: str,
        token: Union[str, Callable[[], str]],
        retries: int = 4,
        timeout: float = 15.0,
        context: Any = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._token = token
        self._retries = retries
        self._timeout = timeout
        self._context = context
        self._wait = wait

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """The JSON of the answer; raises ``ApiFailure``."""
        words = {name: value for name, value in (query or {}).items() if value is not None}
        url = self._base + path + (f"?{urllib.parse.urlencode(words)}" if words else "")
        headers = {"Accept": "application/json"}
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if body is not None:
            # A list is operations (RFC 6902); an object is merged (RFC 7396), or it is the body of another PATCH.
            is_patch = method == "PATCH" and isinstance(body, (list, tuple))
            kind = "application/json-patch+json" if is_patch else "application/json"
            headers["Content-Type"] = kind
        data = None if body is None else json.dumps(body).encode()
        attempt = 1
        while True:
            token = self._token if isinstance(self._token, str) else self._token()
            request = urllib.request.Request(
                url, data, {**headers, "Authorization": f"Bearer {token}"}, method=method
            )
            status, text, hint, cause = self._send(request)
            if attempt > self._retries or status not in _PASSING or (method == "PATCH" and status != 429):
                return _read(self._base, status, text, cause, attempt)
            self._wait(_pause(attempt, hint))
            attempt += 1

    def pages(self, path: str, query: Optional[Mapping[str, Any]] = None) -> Iterator[Any]:
        """Every page of a list, by its nextToken."""
        token = None
        while True:
            page = self.call("GET", path, query={**(query or {}), "nextToken": token})
            yield page
            token = page.get("nextToken")
            if token is None:
                return

    def _send(self, request: urllib.request.Request) -> "tuple[Optional[int], bytes, Optional[str], Optional[str]]":
        try:
            with urllib.request.urlopen(request, timeout=self._timeout, context=self._context) as answer:
                return answer.status, answer.read(), answer.headers.get("Retry-After"), None
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.read(), answer.headers.get("Retry-After"), None
        except (OSError, ValueError) as cause:
            return None, b"", None, str(getattr(cause, "reason", cause))


def _pause(attempt: int, hint: Optional[str]) -> float:
    if hint is not None and hint.strip().isdigit():
        return min(_LONGEST_PAUSE, float(hint))
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + random.random() / 2)


def _read(base: str, status: Optional[int], text: bytes, cause: Optional[str], attempts: int) -> Any:
    if status is None:
        advice = "Look at base_url, the network and the certificate."
        raise ApiFailure("unreachable", f"{base} does not answer: {cause}. {advice}", None, attempts)
    try:
        body = json.loads(text)
    except ValueError:
        advice = "Look whether base_url is the address of the API and not of a proxy."
        raise ApiFailure("notUnderstood", f"The answer {status} is no JSON. {advice}", status, attempts) from None
    if status == 200:
        return body
    said = body if isinstance(body, dict) else {}
    code = (said.get("error") or {}).get("code", "notUnderstood")
    raise ApiFailure(code, said.get("reason", f"The answer was {status}."), status, attempts)
