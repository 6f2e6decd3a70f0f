import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { serveParent } from '#test/bench/process/serve-parent.ts';
import { type Jittered, type JitterMs, type JitterSetting, PORT_BIT, RELAY } from './jitter.ts';

/** Stands in for `port` of another program. */
async function open(port: number): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(port ^ PORT_BIT, RELAY);
  await once(socket, 'listening');
  return socket;
}

/** The relay of `jitter.ts`, in a process of its own: nothing but its own clock holds a datagram. */
serveParent<JitterSetting, null, JitterMs, Jittered>(async ({ ports }) => {
  const inward: Socket[] = [];
  /** By the port of who sent: stands in for that port. */
  const onward = new Map<number, Promise<Socket>>();
  let jitterMs = 0;
  let passed = 0;
  let overtaken = 0;
  for (let port = ports.from; port <= ports.to; port++) {
    const socket = await open(port);
    let taken = 0;
    let newest = 0;
    socket.on('message', (datagram, from) => {
      const place = ++taken;
      if (!onward.has(from.port)) onward.set(from.port, open(from.port));
      setTimeout(async () => {
        (await onward.get(from.port))?.send(datagram, port, '127.0.0.1');
        passed++;
        if (place < newest) overtaken++;
        newest = Math.max(newest, place);
      }, Math.random() * jitterMs);
    });
    inward.push(socket);
  }
  return {
    ready: null,
    answer: (askedMs) => {
      jitterMs = askedMs;
      const counted = { passed, overtaken };
      [passed, overtaken] = [0, 0];
      return counted;
    },
    close: async () => {
      for (const socket of [...inward, ...(await Promise.all(onward.values()))]) socket.close();
    },
  };
});
