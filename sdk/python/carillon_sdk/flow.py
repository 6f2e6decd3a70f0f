"""Answers that lead a caller: decisions, IVR commands, and a flow of named steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence

Json = Mapping[str, Any]

#: Member of sessionReferenceId that holds the step.
_MEMBER = "flowStep"


def call(dest_addr: str, **details: Any) -> Json:
    """Calls a party and joins it with the caller; the answer to newCall and callEvent."""
    return {**details, "action": "call", "destAddr": dest_addr}


def enter_ivr(**details: Any) -> Json:
    """Sends the caller into the IVR: getIvrCommand follows."""
    return {**details, "action": "ivr"}


def refuse(drop_code: int = 603, **details: Any) -> Json:
    """Refuses the call with a status of SIP, or ends it."""
    return {**details, "action": "drop", "dropCode": drop_code}


def say(text: str, language: Optional[str] = None, voice: Optional[str] = None) -> Json:
    """Speech; ``language`` is BCP 47."""
    wanted = {"Text": text, "LanguageCode": language, "VoiceId": voice}
    return {"format": "cloudtts", "cloudTTSParameters": {k: v for k, v in wanted.items() if v is not None}}


def play(file_name: str) -> Json:
    """A file of the prompts."""
    return {"format": "file", "fileName": file_name}


def ask(phrases: Sequence[Json], **dtmf: Any) -> Json:
    """Plays phrases and listens for digits; the next getIvrCommand brings them."""
    return {"phrases": list(phrases), "dtmf": dtmf or {"maxDigits": 1}}


def end(phrases: Sequence[Json] = ()) -> Json:
    """Plays phrases and leaves the IVR; callEvent follows."""
    return {"phrases": list(phrases), "hangup": True}


@dataclass(frozen=True)
class Step:
    """One place of a flow: its command, and the name of the next step by the digits."""

    command: Callable[[Json], Json]
    next: Optional[Callable[[str, Json], str]] = None


def flow(first: str, steps: Mapping[str, Step]) -> Callable[..., Json]:
    """Answers getIvrCommand. The step travels in sessionReferenceId, so that every process can answer."""

    def step_of(name: str) -> Step:
        if name not in steps:
            raise LookupError(f'The flow has no step {name}. Name one of {", ".join(steps)}.')
        return steps[name]

    def answer(body: Json, _context: Any = None) -> Json:
        reference = body.get("sessionReferenceId")
        reference = dict(reference) if isinstance(reference, dict) else {}
        last = reference.get(_MEMBER)
        name = first
        if isinstance(last, str) and "lastCommandResult" in body:
            following = step_of(last).next
            digits = body.get("dtmfParams", {}).get("dtmfMatch", "")
            name = last if following is None else following(digits, body)
        command = step_of(name).command(body)
        own = command.get("sessionReferenceId")
        own = own if isinstance(own, dict) else {}
        return {**command, "sessionReferenceId": {**reference, **own, _MEMBER: name}}

    return answer
