import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** An address that moves between hosts, as VRRP moves one: devices send to it and notice nothing but a pause. */
export interface FloatingAddress {
  readonly port: number;
  /** From now on packets go to this port of the same address. */
  moveTo: (port: number) => void;
  readonly close: () => void;
}

/** UDP on `host`: each sender gets a socket of its own, so that answers find it. */
export async function floatingAddress(host: string, target: number): Promise<FloatingAddress> {
  const front = createSocket('udp4');
  const sockets = new Map<string, Socket>();
  let to = target;
  front.on('message', (bytes, from) => {
    const name = `${from.address}:${from.port}`;
    let socket = sockets.get(name);
    if (socket === undefined) {
      socket = createSocket('udp4');
      socket.on('message', (answer) => front.send(answer, from.port, from.address));
      // No program listens there just now: a dead host looks like that.
      socket.on('error', () => undefined);
      socket.bind(0, host);
      sockets.set(name, socket);
    }
    socket.send(bytes, to, host);
  });
  front.bind(0, host);
  await once(front, 'listening');
  return {
    port: front.address().port,
    moveTo: (port) => {
      to = port;
    },
    close: () => {
      front.close();
      for (const socket of sockets.values()) socket.close();
    },
  };
}
