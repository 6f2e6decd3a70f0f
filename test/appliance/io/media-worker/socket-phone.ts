import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Phone } from '#test/support/phone.ts';

const HOST = '127.0.0.1';

/** A phone with a real socket; it sends every 20 ms of real time. */
export interface SocketPhone {
  readonly phone: Phone;
  close(): void;
}

export async function socketPhone(): Promise<SocketPhone> {
  const socket: Socket = createSocket('udp4');
  socket.bind(0, HOST);
  await once(socket, 'listening');
  const phone = new Phone({ host: HOST, port: socket.address().port }, (bytes, to) => {
    socket.send(bytes, to, HOST);
  });
  socket.on('message', (bytes) => phone.receive(Uint8Array.from(bytes), performance.now()));
  const timer = setInterval(() => phone.tick(), 20);
  return {
    phone,
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}

/** Waits until something is true, at most so long. */
export async function until(what: string, isTrue: () => boolean, withinMs = 30_000): Promise<void> {
  for (const endMs = performance.now() + withinMs; !isTrue(); ) {
    if (performance.now() > endMs) throw new Error(`${what} did not happen within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
