"""A TLS peer that ends its half of a connection to HOST:PORT, by OpenSSL.

HOW is `notify` (close_notify behind the last byte, RFC 8446 6.1) or `cut` (the TCP half alone). Sends what stands on the
standard input, ends its half, and writes whatever comes afterwards until the other side ends, too. Says `ended` or `reset` on
the standard error then; exit 0.
"""
import socket
import ssl
import sys

host, port, root, how = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
request = sys.stdin.buffer.read()
context = ssl.create_default_context(cafile=root)
incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
tls = context.wrap_bio(incoming, outgoing, server_hostname=host)
plain = socket.create_connection((host, port), timeout=20)


def exchange(step):
    """Does one step of TLS, with as many packets as it takes; None when the other side is gone first."""
    while True:
        try:
            done = step()
            plain.sendall(outgoing.read())
            return done
        except ssl.SSLWantReadError:
            plain.sendall(outgoing.read())
            received = plain.recv(65536)
            if not received:
                return None
            incoming.write(received)


exchange(tls.do_handshake)
# The request and the end arrive together: nothing that is answered later was answered in between.
plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
exchange(lambda: tls.write(request))
if how == 'notify':
    # Its first half: the other's close_notify is waited for below, behind whatever comes first.
    try:
        tls.unwrap()
    except (ssl.SSLWantReadError, ssl.SSLError):
        pass
    plain.sendall(outgoing.read())
plain.shutdown(socket.SHUT_WR)
end = 'ended'
try:
    while True:
        received = plain.recv(65536)
        if not received:
            break
        incoming.write(received)
        try:
            while True:
                text = tls.read(65536)
                if not text:
                    break
                sys.stdout.buffer.write(text)
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            break
except ConnectionResetError:
    end = 'reset'
sys.stderr.write(end)
