"""Reads an emergency INVITE from stdin by the email parser of Python and lxml, validates its documents by RELAX NG, and writes
what they say as JSON. Ends with 1 and a sentence where something is not as the RFCs have it."""

import email
import json
import pathlib
import re
import sys

from lxml import etree

GRAMMAR = etree.RelaxNG(etree.parse(pathlib.Path(__file__).with_name("emergency-data.rng")))
NAMES = {
    "ca": "urn:ietf:params:xml:ns:pidf:geopriv10:civicAddr",
    "pi": "urn:ietf:params:xml:ns:EmergencyCallData:ProviderInfo",
    "di": "urn:ietf:params:xml:ns:EmergencyCallData:DeviceInfo",
    "com": "urn:ietf:params:xml:ns:EmergencyCallData:Comment",
}
# RFC 7852 8.1: what `purpose` says, and the type of the part that it refers to.
TYPE_OF = "application/emergencycalldata.{}+xml"


def main() -> None:
    request_line, _, rest = sys.stdin.buffer.read().partition(b"\r\n")
    message = email.message_from_bytes(rest)
    if not request_line.startswith(b"INVITE ") or message.get_content_type() != "multipart/mixed":
        sys.exit("it is no INVITE with parts")
    parts = {part["Content-ID"]: part for part in message.get_payload() if part["Content-ID"]}
    referred = {f"<{found}>" for found in re.findall(r"<cid:([^>]+)>", " ".join(message.get_all("Geolocation", [])))}
    for value in message.get_all("Call-Info", []):
        for found, purpose in re.findall(r"<cid:([^>]+)>;purpose=EmergencyCallData\.(\w+)", value):
            part = parts.get(f"<{found}>")
            if part is None or part.get_content_type() != TYPE_OF.format(purpose.lower()):
                sys.exit(f"the part {purpose} that Call-Info refers to is not there")
            referred.add(f"<{found}>")
    if referred != set(parts):
        sys.exit(f"parts and references differ: {sorted(referred ^ set(parts))}")
    said = {}
    for part in parts.values():
        if "handling=optional" not in (part["Content-Disposition"] or ""):
            sys.exit(f"the call depends on {part.get_content_type()}")
        document = etree.fromstring(part.get_payload(decode=True))
        if not GRAMMAR.validate(document):
            sys.exit(f"{part.get_content_type()}: {GRAMMAR.error_log.last_error.message}")
        for name in ("ca:NAM", "pi:DataProviderString", "pi:ContactURI", "di:UniqueDeviceID", "com:Comment"):
            for found in document.iterfind(f".//{name}", NAMES):
                said[name] = found.text
    sdp = [part for part in message.get_payload() if part.get_content_type() == "application/sdp"]
    if len(sdp) != 1:
        sys.exit("it has no offer, or more than one")
    json.dump(said, sys.stdout)


main()
