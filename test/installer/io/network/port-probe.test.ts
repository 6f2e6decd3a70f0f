import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { isPortTaken } from '#installer/io/network/port-probe.ts';

it('says of each transport whether another program listens at a port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(await isPortTaken(port, 'TCP')).toBe(true);
  server.close();
  await once(server, 'close');
  expect(await isPortTaken(port, 'TCP')).toBe(false);

  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const udp = socket.address().port;
  expect(await isPortTaken(udp, 'UDP')).toBe(true);
  socket.close();
  await once(socket, 'close');
  expect(await isPortTaken(udp, 'UDP')).toBe(false);
});
