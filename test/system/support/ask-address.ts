/**
 * A device that asks an address whether it answers SIP (OPTIONS, RFC 3261 11), ten times a second: `node ask-address.ts ADDRESS PORT [ANSWERS]`,
 * until it has that many; without a number on and on.
 * One line of JSON for each answer: when it came, ms of the machine's own clock.
 */
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';

const ASK_MS = 100;
const [address = '', port = '5060', answers = 'Infinity'] = process.argv.slice(2);
const host = isIPv6(address) ? `[${address}]` : address;
const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
let answered = 0;
socket.on('error', () => undefined);
socket.on('message', (bytes) => {
  const [first = ''] = bytes.toString().split('\r\n');
  if (!first.startsWith('SIP/2.0 ')) return;
  process.stdout.write(`${JSON.stringify({ atMs: performance.now(), first })}\n`);
  if (++answered >= Number(answers)) process.exit(0);
});
socket.bind(0, () => setInterval(ask, ASK_MS));

function ask(): void {
  const id = randomBytes(8).toString('hex');
  const lines = [
    `OPTIONS sip:${host} SIP/2.0`,
    `Via: SIP/2.0/UDP ${host}:${socket.address().port};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 70',
    `From: <sip:device@${host}>;tag=${id}`,
    `To: <sip:${host}>`,
    `Call-ID: ${id}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
  ];
  socket.send(`${lines.join('\r\n')}\r\n\r\n`, Number(port), address, () => undefined);
}
