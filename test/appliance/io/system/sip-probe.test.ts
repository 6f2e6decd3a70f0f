import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { probeSip } from '#appliance/io/system/index.ts';

async function listening(answer: string | undefined) {
  const socket = createSocket('udp4');
  const received: string[] = [];
  socket.on('message', (bytes, from) => {
    received.push(bytes.toString());
    if (answer !== undefined) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { heard: received, port: socket.address().port, close: () => socket.close() };
}

it.each(['200 OK', '503 Service Unavailable'])('a listener that answers %s is there', async (status) => {
  const sip = await listening(`SIP/2.0 ${status}\r\n\r\n`);
  expect(await probeSip({ transport: 'UDP', host: '127.0.0.1', port: sip.port })).toBeUndefined();
  expect(sip.heard[0]).toMatch(/^OPTIONS sip:127\.0\.0\.1:\d+ SIP\/2\.0\r\nVia: SIP\/2\.0\/UDP /);
  sip.close();
});

it('another answer, none, and no listener are said in words', async () => {
  const sip = await listening('SIP/2.0 500 Server Internal Error\r\n\r\n');
  expect(await probeSip({ transport: 'UDP', host: '0.0.0.0', port: sip.port })).toBe(
    'OPTIONS was answered with SIP/2.0 500 Server Internal Error',
  );
  sip.close();
  expect(await probeSip(undefined)).toBe('SIP is not open');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  server.close();
  expect(await probeSip({ transport: 'TCP', host: '127.0.0.1', port })).toMatch(
    /was not answered within 2 s$/,
  );
});
