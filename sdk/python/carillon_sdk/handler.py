"""The application's side of the callbacks: checks a request, gives a repeat its first answer, runs the function."""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Mapping, Optional

from .verify import CallbackRefusal, Verifier

_log = logging.getLogger("carillon_sdk")

#: Callbacks that decide about a person who waits. Each other path is a record, of a newer platform too, and asks for nothing: a
#: refusal would count as an outage, and hold all records back.
_DECIDES = frozenset("newAlarmbridgeEvent newCall callEvent getIvrCommand newRemoteCall".split())

#: Most bytes of a body; the platform's own are far smaller.
_MOST_BYTES = 1_048_576
_REMEMBERED_ANSWERS = 10_000


@dataclass(frozen=True)
class Context:
    """The request around a callback, checked."""

    claims: Mapping[str, Any]
    #: The same for every attempt of one event; empty when the request has none.
    idempotency_key: str
    trace_id: str
    #: Order of the events of one session, from 1; 0 when the request has none.
    event_seq: int
    #: Attempt of this event, from 1.
    attempt: int
    path: str
    #: The event was live and its time is over: the fallback has acted, and the answer decides nothing more.
    is_late: bool


@dataclass(frozen=True)
class Answer:
    """Status and JSON text of an answer."""

    status: int
    body: str


class _Pending:
    """An answer that is being made; repeats wait for it."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.answer: Optional[Answer] = None


class Handler:
    """Answers callbacks; ``on`` maps their names to functions of body and context. Several threads may share one."""

    def __init__(
        self,
        verifier: Verifier,
        on: Mapping[str, Callable[[Any, Context], Any]],
        other: Optional[Callable[[str, Any, Context], Any]] = None,
        remembered_answers: int = _REMEMBERED_ANSWERS,
    ) -> None:
        self._verifier = verifier
        self._on = on
        self._other = other
        self._most = remembered_answers
        self._given: "OrderedDict[str, _Pending]" = OrderedDict()
        self._lock = threading.Lock()

    def handle(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """The answer to a POST. The names of ``headers`` may be in any case; ``body`` is raw."""
        known = {name.lower(): value for name, value in headers.items()}
        try:
            if len(body) > _MOST_BYTES:
                return _refused(path, 413, f"The body has more than {_MOST_BYTES} bytes.")
            claims = self._verifier.verify(known.get("authorization"), body)
        except CallbackRefusal as refusal:
            return _refused(path, 401, str(refusal))
        try:
            value = json.loads(body.decode("utf-8"))
            context = Context(
                claims=claims,
                idempotency_key=known.get("idempotency-key", ""),
                trace_id=known.get("x-trace-id", ""),
                event_seq=int(known.get("x-event-seq", "0")),
                attempt=int(known.get("x-delivery-attempt", "1")),
                path=path,
                is_late=isinstance(value, dict) and value.get("late") is True,
            )
        except (ValueError, RecursionError) as cause:
            return _refused(path, 400, f"The callback could not be read: {cause}")
        try:
            return self._once(context, lambda: self._answer(value, context))
        except Exception:
            _log.exception("The function for %s failed", path)
            return Answer(500, _sentence("The function of the callback failed; its log has the cause."))

    def _once(self, context: Context, answer: Callable[[], Answer]) -> Answer:
        if context.idempotency_key == "":
            return answer()
        key = f'{context.claims["iss"]} {context.path} {context.idempotency_key}'
        while True:
            with self._lock:
                pending = self._given.get(key)
                is_first = pending is None
                if pending is None:
                    pending = self._given[key] = _Pending()
                    while len(self._given) > self._most:
                        self._given.popitem(last=False)
            if is_first:
                break
            pending.done.wait()
            if pending.answer is not None:
                return pending.answer
        try:
            made = answer()
            if made.status == 200:
                pending.answer = made
            return made
        finally:
            # A failure is not remembered: the next attempt runs the function again.
            if pending.answer is None:
                with self._lock:
                    if self._given.get(key) is pending:
                        del self._given[key]
            pending.done.set()

    def _answer(self, body: Any, context: Context) -> Answer:
        parts = [part for part in context.path.split("/") if part]
        names = ["/".join(parts[-2:]), parts[-1] if parts else ""]
        name = next((name for name in names if name in self._on), None)
        if name is not None:
            given = self._on[name](body, context)
        elif self._other is not None:
            given = self._other(context.path, body, context)
        elif context.is_late or names[1] not in _DECIDES:
            given = None
        else:
            # The platform's fallback acts; an answer that was made up here would decide about a person.
            return _refused(context.path, 501, f"The application has no function for {context.path}. Add it to on.")
        return Answer(200, json.dumps({} if given is None else given))


def _refused(path: str, status: int, reason: str) -> Answer:
    _log.warning("%s %s: %s", path, status, reason)
    return Answer(status, _sentence(reason))


def _sentence(reason: str) -> str:
    return json.dumps({"reason": reason})


def wsgi(handler: Handler) -> Callable[..., Iterable[bytes]]:
    """A WSGI application, for example for ``wsgiref``, gunicorn or uWSGI."""
    words = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 405: "Method Not Allowed", 413: "Content Too Large"}

    def application(environ: Mapping[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "POST":
            answer = _refused(environ.get("PATH_INFO", ""), 405, "Callbacks are posted.")
        else:
            length = min(int(environ.get("CONTENT_LENGTH") or 0), _MOST_BYTES + 1)
            names = [name for name in environ if name.startswith("HTTP_")]
            headers = {name[5:].replace("_", "-"): environ[name] for name in names}
            answer = handler.handle(environ.get("PATH_INFO", ""), headers, environ["wsgi.input"].read(length))
        status = f'{answer.status} {words.get(answer.status, "Error")}'
        start_response(status, [("Content-Type", "application/json")])
        return [answer.body.encode()]

    return application
