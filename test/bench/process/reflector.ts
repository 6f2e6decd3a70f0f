import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { okTo } from './ok-to.ts';
import { type Served, serveParent } from './serve-parent.ts';

/** Answers at once and thinks nothing: what the generator alone can do is measured against it. */
export interface ReflectorSetting {
  /** Sends the answer MESSAGE of the protocol too. */
  readonly answers: boolean;
}

async function start(setting: ReflectorSetting): Promise<Served<{ port: number }, never, null>> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: 8 * 1024 * 1024,
    lookup: (host, _options, done) => done(null, host, 4),
  });
  const listening = once(socket, 'listening');
  socket.bind(0, '127.0.0.1');
  await listening;
  let calls = 0;
  socket.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    if (text.startsWith('ACK ') || text.startsWith('SIP/2.0 ')) return;
    socket.send(okTo(text), from.port, from.address);
    if (!setting.answers || !text.startsWith('MESSAGE ')) return;
    const ref = /<ref>([^<]+)/.exec(text)?.[1] ?? '';
    const body = `<mrs><ref>${ref}</ref><snu>0</snu></mrs>`;
    calls++;
    socket.send(
      `MESSAGE sip:device@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKr${calls}\r\n` +
        `From: <sip:r@r>;tag=r\r\nTo: <sip:d@d>\r\nCall-ID: r${calls}\r\nCSeq: 1 MESSAGE\r\n` +
        `Content-Type: application/scaip+xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      from.port,
      from.address,
    );
  });
  return {
    ready: { port: socket.address().port },
    answer: () => null,
    async close() {
      socket.close();
    },
  };
}

serveParent(start);
