import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type Served, serveParent } from './serve-parent.ts';

/** A telephone that is called: 180 and 200 at once, 200 to everything else. It never hangs up. */
export interface CalleeSetting {
  /** Where it registers as `user`; absent: it is called by its address. */
  readonly registrar?: { readonly port: number; readonly domain: string; readonly user: string };
  /** Rings until the caller gives up. */
  readonly ringsOnly?: boolean;
}

export interface CalleeReady {
  readonly port: number;
}

/** Another one than the callers': they come by a trunk, which is known by its address. */
const HOST = '127.0.0.2';
const COPIED = ['Via', 'Record-Route', 'From', 'Call-ID', 'CSeq'];

async function start({ registrar, ringsOnly }: CalleeSetting): Promise<Served<CalleeReady, never, null>> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: 8 * 1024 * 1024,
    lookup: (host, _options, done) => done(null, host, 4),
  });
  const listening = once(socket, 'listening');
  socket.bind(0, HOST);
  await listening;
  const { port } = socket.address();
  const contact = `Contact: <sip:callee@${HOST}:${port}>\r\n`;
  const sdp =
    `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\n` +
    'm=audio 40002 RTP/AVP 8 101\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\n';
  const registered = Promise.withResolvers<void>();

  socket.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    const send = (answer: string) => socket.send(answer, from.port, from.address);
    if (text.startsWith('SIP/2.0 200 ')) registered.resolve();
    else if (text.startsWith('SIP/2.0 '))
      registered.reject(new Error(`not registered: ${text.slice(0, 30)}`));
    else if (text.startsWith('INVITE ')) {
      const fields = fieldsOf(text);
      send(`SIP/2.0 180 Ringing\r\n${fields}${contact}Content-Length: 0\r\n\r\n`);
      if (ringsOnly === true) return;
      const described = `${contact}Content-Type: application/sdp\r\nContent-Length: ${sdp.length}\r\n\r\n${sdp}`;
      send(`SIP/2.0 200 OK\r\n${fields}${described}`);
    } else if (!text.startsWith('ACK ')) {
      const fields = fieldsOf(text);
      send(`SIP/2.0 200 OK\r\n${fields}Content-Length: 0\r\n\r\n`);
      if (!text.startsWith('CANCEL ')) return;
      const ofInvite = fields.replace(/^(CSeq: \d+) CANCEL/m, '$1 INVITE');
      send(`SIP/2.0 487 Request Terminated\r\n${ofInvite}Content-Length: 0\r\n\r\n`);
    }
  });

  if (registrar !== undefined) {
    const { domain, user } = registrar;
    const me = `<sip:${user}@${domain}>`;
    socket.send(
      `REGISTER sip:${domain} SIP/2.0\r\nVia: SIP/2.0/UDP ${HOST}:${port};branch=z9hG4bKregister;rport\r\n` +
        `Max-Forwards: 70\r\nFrom: ${me};tag=callee\r\nTo: ${me}\r\nCall-ID: register@${HOST}\r\n` +
        `CSeq: 1 REGISTER\r\n${contact}Expires: 3600\r\nContent-Length: 0\r\n\r\n`,
      registrar.port,
      '127.0.0.1',
    );
    await registered.promise;
  }
  return { ready: { port }, answer: () => null, close: async () => void socket.close() };
}

/** Fields of a request that its response repeats, To with our tag: as this project and Kamailio write them. */
function fieldsOf(request: string): string {
  let fields = '';
  for (const line of request.slice(0, request.indexOf('\r\n\r\n')).split('\r\n')) {
    const name = line.slice(0, line.indexOf(':'));
    if (COPIED.includes(name)) fields += `${line}\r\n`;
    else if (name === 'To') fields += line.includes(';tag=') ? `${line}\r\n` : `${line};tag=callee\r\n`;
  }
  return fields;
}

serveParent(start);
