"""A program on a WebSocket (RFC 6455) of nothing but the standard library: hears one call, speaks a tone into it, prints what it heard.

    stream-program.py mediaStream | pcm

First line: its port. A line for each mark that comes back. Last line: JSON about the messages, their order, and the audio.
"""

import base64
import hashlib
import json
import math
import socket
import struct
import sys

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
RATE = 8_000
TONE_HZ = 1_100
TONE_S = 3
FRAMING = sys.argv[1]


def take(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            return None
        data += part
    return data


def shake_hands(connection):
    request = b""
    while not request.endswith(b"\r\n\r\n"):
        request += take(connection, 1)
    headers = dict(line.split(": ", 1) for line in request.decode("latin-1").split("\r\n")[1:] if line)
    key = {name.lower(): value for name, value in headers.items()}["sec-websocket-key"]
    accept = base64.b64encode(hashlib.sha1((key + MAGIC).encode()).digest())
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
    )


def frames(connection):
    """Opcode and payload of each frame, until the peer closes or is gone."""
    while True:
        head = take(connection, 2)
        if head is None:
            return
        length = head[1] & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", take(connection, 2))
        elif length == 127:
            (length,) = struct.unpack(">Q", take(connection, 8))
        mask = take(connection, 4)
        body = take(connection, length) if length else b""
        if mask is None or body is None:
            return
        payload = bytes(byte ^ mask[at % 4] for at, byte in enumerate(body))
        if head[0] & 0x0F == 8:
            connection.sendall(bytes([0x88, len(payload)]) + payload)
            return
        yield head[0] & 0x0F, payload


def send(connection, opcode, payload):
    length = len(payload)
    size = bytes([length]) if length < 126 else b"\x7e" + struct.pack(">H", length)
    connection.sendall(bytes([0x80 | opcode]) + size + payload)


def mulaw(sample):
    sign = 0x80 if sample < 0 else 0
    level = min(abs(sample), 32_635) + 132
    exponent = level.bit_length() - 8
    return ~(sign | exponent << 4 | level >> exponent + 3 & 0x0F) & 0xFF


def linear(byte):
    value = ~byte & 0xFF
    level = ((value & 0x0F) << 3 | 0x84) << (value >> 4 & 7)
    return 132 - level if value & 0x80 else level - 132


def say(connection, words):
    send(connection, 1, json.dumps(words).encode())


def speak(connection):
    """The whole tone at once, in messages of 100 ms, as a synthesiser that is faster than the call."""
    tone = [round(8_000 * math.sin(2 * math.pi * TONE_HZ * at / RATE)) for at in range(TONE_S * RATE)]
    for at in range(0, len(tone), RATE // 10):
        part = tone[at : at + RATE // 10]
        if FRAMING == "pcm":
            send(connection, 2, struct.pack(f"<{len(part)}h", *part))
        else:
            payload = base64.b64encode(bytes(map(mulaw, part))).decode()
            say(connection, {"event": "media", "media": {"payload": payload}})
    say(connection, {"event": "mark", "mark": {"name": "spoken"}})


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
line, _ = server.accept()
shake_hands(line)

heard = bytearray()
names = []
faults = []
sequence = chunk = 0
if FRAMING == "pcm":
    speak(line)
for opcode, payload in frames(line):
    if opcode == 2:
        heard += payload
        names.append("binary")
        continue
    message = json.loads(payload)
    names.append(message["event"])
    if message["event"] == "mark":
        print(f"mark {message['mark']['name']}", flush=True)
    if "sequenceNumber" in message and FRAMING != "pcm":
        sequence += 1
        if message["sequenceNumber"] != str(sequence):
            faults.append(f"message {message['sequenceNumber']} instead of {sequence}")
    if message["event"] == "start":
        speak(line)
    if message["event"] == "media":
        chunk += 1
        media = message["media"]
        if (media["chunk"], media["timestamp"]) != (str(chunk), str(20 * (chunk - 1))):
            faults.append(f"chunk {media['chunk']} at {media['timestamp']} instead of {chunk}")
        heard += struct.pack("<160h", *map(linear, base64.b64decode(media["payload"])))
print(json.dumps({"names": names, "faults": faults, "audio": base64.b64encode(heard).decode()}), flush=True)
