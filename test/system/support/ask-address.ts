/**
 * A device that asks an address whether it answers SIP (OPTIONS, RFC 3261 11), ten times a second: `node ask-address.ts ADDRESS PORT`.
 * One line of JSON for each answer: when it came, ms of the machine's own clock.
 */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';

const ASK_MS = 100;
const [address = '', port = '5060'] = process.argv.slice(2);
const socket = createSocket('udp4');
socket.on('error', () => undefined);
socket.on('message', (bytes) => {
  const [first = ''] = bytes.toString().split('\r\n');
  if (first.startsWith('SIP/2.0 '))
    process.stdout.write(`${JSON.stringify({ atMs: performance.now(), first })}\n`);
});
socket.bind(0, () => setInterval(ask, ASK_MS));

function ask(): void {
  const id = randomBytes(8).toString('hex');
  const lines = [
    `OPTIONS sip:${address} SIP/2.0`,
    `Via: SIP/2.0/UDP ${address}:${socket.address().port};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 70',
    `From: <sip:device@${address}>;tag=${id}`,
    `To: <sip:${address}>`,
    `Call-ID: ${id}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
  ];
  socket.send(`${lines.join('\r\n')}\r\n\r\n`, Number(port), address, () => undefined);
}
