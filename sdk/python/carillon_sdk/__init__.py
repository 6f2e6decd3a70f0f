"""The receiver of callbacks, the client of the API, and answers for call flows."""

from .client import ApiFailure, Client
from .handler import Answer, Context, Handler, wsgi
from .verify import CallbackRefusal, Key, ReplayMemory, Verifier

__all__ = [
    "Answer",
    "ApiFailure",
    "CallbackRefusal",
    "Client",
    "Context",
    "Handler",
    "Key",
    "ReplayMemory",
    "Verifier",
    "wsgi",
]
