"""A WebSocket server (RFC 6455) of nothing but the standard library: takes one connection, prints what it heard as JSON."""

import base64
import hashlib
import json
import socket
import struct
import sys

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def take(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            sys.exit("the connection broke")
        data += part
    return data


def shake_hands(connection):
    request = b""
    while not request.endswith(b"\r\n\r\n"):
        request += take(connection, 1)
    lines = request.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:] if line)}
    digest = hashlib.sha1((headers["sec-websocket-key"] + MAGIC).encode()).digest()
    connection.sendall(
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + base64.b64encode(digest) + b"\r\n\r\n"
    )
    return lines[0], headers


def messages(connection):
    """Whole binary messages, until the peer closes."""
    while True:
        first, second = take(connection, 2)
        if first & 0x70 or not first & 0x80:
            sys.exit("reserved bits or a fragment")
        if not second & 0x80:
            sys.exit("a client must mask")
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", take(connection, 2))
        elif length == 127:
            (length,) = struct.unpack(">Q", take(connection, 8))
        mask = take(connection, 4)
        payload = bytes(byte ^ mask[at % 4] for at, byte in enumerate(take(connection, length)))
        opcode = first & 0x0F
        if opcode == 8:
            connection.sendall(bytes([0x88, len(payload)]) + payload)
            return
        if opcode != 2:
            sys.exit(f"opcode {opcode} instead of a binary message")
        yield payload


with socket.create_server(("127.0.0.1", 0)) as server:
    print(server.getsockname()[1], flush=True)
    connection, _ = server.accept()
    request, headers = shake_hands(connection)
    frames = list(messages(connection))
    audio = [base64.b64encode(frame).decode() for frame in frames]
    print(json.dumps({"request": request, "headers": headers, "frames": audio}), flush=True)
