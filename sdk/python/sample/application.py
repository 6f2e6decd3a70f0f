"""The smallest application in Python: it checks each callback of the platform, and answers an alarm."""

import json
import os
import socketserver
from wsgiref.simple_server import WSGIServer, make_server

from carillon_sdk import Handler, Key, Verifier, wsgi


class Server(socketserver.ThreadingMixIn, WSGIServer):
    """Callbacks come side by side: one that waits holds up no other."""

    daemon_threads = True


def alarm(body, context):
    print("alarm", context.trace_id, json.dumps(body["alarmEvent"]), "late" if context.is_late else "", flush=True)
    return {"action": "callEmergencyCenter"}


verifier = Verifier(
    keys=[Key(os.environ.get("ALGORITHM", "ES256"), os.environ.get("KEY", ""))],
    audience=os.environ.get("AUDIENCE", ""),
    domain=os.environ.get("ISSUER", ""),
)
port = int(os.environ.get("PORT", "3000"))
server = make_server("127.0.0.1", port, wsgi(Handler(verifier, on={"newAlarmbridgeEvent": alarm})), server_class=Server)
print(f"takes callbacks at http://127.0.0.1:{port}", flush=True)
server.serve_forever()
