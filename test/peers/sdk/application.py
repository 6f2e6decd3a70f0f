"""An application on the Python SDK: prints its port, takes callbacks by WSGI, and ends with its input."""

import json
import logging
import sys
import threading
from wsgiref.simple_server import WSGIRequestHandler, make_server

from carillon_sdk import Client, ApiFailure, Handler, Key, Verifier, wsgi
from carillon_sdk.flow import Step, ask, end, enter_ivr, flow, say

# Failures are asked for here; their traces would hide those that are not.
logging.disable(logging.CRITICAL)
key = json.loads(sys.stdin.readline())
runs = []


def alarm(body, context):
    runs.append(context.idempotency_key)
    if body.get("fails") and len(runs) == 1:
        raise RuntimeError("the database is away")
    return {"action": "drop", "runs": len(runs), "trace": context.trace_id, "name": body["name"]}


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


pin = flow(
    "pin",
    {
        "pin": Step(lambda body: ask([say("PIN")], maxDigits=4), lambda digits, body: "in" if digits == "1" else "pin"),
        "in": Step(lambda body: end([say("Welcome")])),
    },
)
verifier = Verifier([Key("ES256", key)], audience="https://app.example", domain="care.example")
on = {"newAlarmbridgeEvent": alarm, "newCall": lambda body, context: enter_ivr(), "getIvrCommand": pin}
server = make_server("127.0.0.1", 0, wsgi(Handler(verifier, on)), handler_class=Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()

# The client against its own server: it answers 405 to a GET, and a POST without a token 401.
base = f"http://127.0.0.1:{server.server_port}"
failures = []
for method, path, address in (("GET", "/x", base), ("POST", "/x", base), ("GET", "/x", "http://127.0.0.1:1")):
    try:
        Client(address, "token", retries=1, wait=lambda s: None).call(method, path, body=None)
    except ApiFailure as failure:
        failures.append([failure.code, failure.status, failure.attempts])
print(json.dumps({"port": server.server_port, "failures": failures}), flush=True)
sys.stdin.read()
