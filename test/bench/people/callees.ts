import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type Served, serveParent } from '../process/serve-parent.ts';
import { percentile } from '../support/figure.ts';
import type { CalleesAnswer, CalleesAsk, CalleesSetting, Rang } from './callees-setting.ts';
import { Grid } from './grid.ts';

/*
 * A hundred telephones and ten units on two sockets: SIP, and audio. Every call that is up sends a packet of silence each 20 ms, spread
 * over the frame; what comes is held against the grid of its stream.
 */

const HOST = '127.0.0.6';
const AUDIO_PORT = 40_002;
const FRAME_MS = 20;
const FRAME_BYTES = 160;
const PCMA = 8;
const SILENCE = Buffer.alloc(FRAME_BYTES, 0xd5);
const MB = 1024 * 1024;
const WITHIN_MS = 30_000;
const COPIED = ['Via', 'Record-Route', 'From', 'Call-ID', 'CSeq'];

/** Audio of one call. */
interface Audio {
  readonly person: string;
  readonly host: string;
  readonly port: number;
  readonly eventType: number;
  readonly ssrc: number;
  readonly bye: string;
  sequence: number;
  time: number;
  dueMs: number;
}

async function start(setting: CalleesSetting): Promise<Served<null, CalleesAsk, CalleesAnswer>> {
  const { port, domain, people } = setting;
  const sip = await bound(0);
  const audio = await bound(AUDIO_PORT);
  const control = await bound(AUDIO_PORT + 1);
  const own = sip.address().port;
  const calls = new Map<string, Audio>();
  const waiting: ((text: string) => void)[] = [];
  /** Units that wait for the answer to their alarm. */
  const unanswered = new Map<string, () => void>();
  /** Calls that have come, and those that were given up while they rang, by Call-ID: a repeated request counts once. */
  const came = new Set<string>();
  const givenUp = new Set<string>();
  const grid = new Grid();
  const ownLate: number[] = [];
  let rang: Rang[] = [];
  let answers = false;
  let count = 0;

  const send = (text: string): void => sip.send(text, port, '127.0.0.1');
  const contact = (user: string): string => `Contact: <sip:${user}@${HOST}:${own}>\r\n`;
  const request = (method: string, to: string, user: string, more: Request): void => {
    const {
      callId,
      tag = '',
      toTag = '',
      cseq = 1,
      uri = `sip:${to}@${domain}`,
      type = '',
      body = '',
    } = more;
    send(
      `${method} ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP ${HOST}:${own};branch=z9hG4bK${method}${callId}${cseq};rport\r\n` +
        `Max-Forwards: 70\r\nFrom: <sip:${user}@${domain}>;tag=${tag || user}\r\nTo: <sip:${to}@${domain}>${toTag}\r\n` +
        `Call-ID: ${callId}\r\nCSeq: ${cseq} ${method}\r\n${method === 'MESSAGE' ? '' : contact(user)}` +
        `${method === 'REGISTER' ? 'Expires: 3600\r\n' : ''}${type}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
  const described = (): string =>
    `v=0\r\no=- 1 1 IN IP4 ${HOST}\r\ns=-\r\nc=IN IP4 ${HOST}\r\nt=0 0\r\nm=audio ${AUDIO_PORT} RTP/AVP 8 101\r\n` +
    'a=rtpmap:8 PCMA/8000\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-15\r\na=ptime:20\r\na=sendrecv\r\n';
  /** A call whose description we have heard is up. */
  const up = (callId: string, person: string, text: string, bye: string): void => {
    const host = /^c=IN IP4 (\S+)/m.exec(text)?.[1] ?? '';
    const to = Number(/^m=audio (\d+)/m.exec(text)?.[1]);
    const eventType = Number(/^a=rtpmap:(\d+) telephone-event/m.exec(text)?.[1] ?? 101);
    const dueMs = performance.now() + (count++ % FRAME_MS);
    calls.set(callId, {
      ...{ person, host, port: to, eventType, ssrc: count, bye },
      ...{ sequence: 0, time: 0, dueMs },
    });
  };

  sip.on('message', (bytes) => {
    const atNs = process.hrtime.bigint();
    const text = bytes.toString('latin1');
    const callId = fieldOf(text, 'Call-ID');
    if (text.startsWith('SIP/2.0 ')) {
      for (const each of waiting.splice(0)) each(text);
      return;
    }
    const fields = fieldsOf(text);
    if (text.startsWith('INVITE ')) {
      const person = /^INVITE sip:([^@;>]+)/.exec(text)?.[1] ?? '';
      if (fieldOf(text, 'To').includes(';tag=')) throw new Error(`${person} is asked to change its call`);
      if (!came.has(callId)) rang.push({ person, atNs });
      send(`SIP/2.0 180 Ringing\r\n${fields}${contact(person)}Content-Length: 0\r\n\r\n`);
      if (!answers) {
        came.add(callId);
        return;
      }
      const sdp = described();
      send(
        `SIP/2.0 200 OK\r\n${fields}${contact(person)}Content-Type: application/sdp\r\nContent-Length: ${sdp.length}\r\n\r\n${sdp}`,
      );
      if (!came.has(callId)) up(callId, person, text, byeOf(text));
      came.add(callId);
    } else if (text.startsWith('ACK ')) return;
    else {
      send(`SIP/2.0 200 OK\r\n${fields}Content-Length: 0\r\n\r\n`);
      if (text.startsWith('MESSAGE ')) unanswered.get(/^MESSAGE sip:([^@;>]+)/.exec(text)?.[1] ?? '')?.();
      if (/^(?:BYE|CANCEL) /.test(text)) calls.delete(callId);
      if (!text.startsWith('CANCEL ')) return;
      givenUp.add(callId);
      const ofInvite = fields.replace(/^(CSeq: \d+) CANCEL/m, '$1 INVITE');
      send(`SIP/2.0 487 Request Terminated\r\n${ofInvite}Content-Length: 0\r\n\r\n`);
    }
  });
  audio.on('message', (packet, from) =>
    grid.packet(`${from.port} ${packet.readUInt32BE(8)}`, packet, performance.now()),
  );

  const speak = (one: Audio, type: number, payload: Buffer): void => {
    const head = Buffer.alloc(12);
    head[0] = 0x80;
    head[1] = type;
    head.writeUInt16BE(one.sequence++ & 0xffff, 2);
    head.writeUInt32BE(one.time, 4);
    head.writeUInt32BE(one.ssrc, 8);
    audio.send([head, payload], one.port, one.host);
  };
  const timer = setInterval(() => {
    const now = performance.now();
    for (const one of calls.values()) {
      if (one.dueMs > now) continue;
      ownLate.push(now - one.dueMs);
      speak(one, PCMA, SILENCE);
      one.time += FRAME_BYTES;
      one.dueMs += FRAME_MS;
    }
  }, 1);

  /** The next response that `wanted` takes. */
  const answered = (wanted: (text: string) => boolean): Promise<string> =>
    inTime('a response', (resolve) => {
      const hear = (text: string): void => {
        if (wanted(text)) resolve(text);
        else waiting.push(hear);
      };
      waiting.push(hear);
    });

  for (const person of people) {
    const callId = `register-${person}`;
    const done = answered((text) => fieldOf(text, 'Call-ID') === callId);
    request('REGISTER', person, person, { callId, uri: `sip:${domain}` });
    const said = await done;
    if (!said.startsWith('SIP/2.0 200 '))
      throw new Error(`${person} is not registered: ${said.slice(0, 40)}`);
  }

  let alarms = 0;
  async function raise(unit: string, to: string, isCalling: boolean): Promise<void> {
    const callId = `alarm-${unit}-${++alarms}`;
    const body = `<mrq><ref>${alarms}</ref><cid>${unit}</cid><dty>0003</dty><stc>0010</stc></mrq>`;
    const type = 'Content-Type: application/xml\r\n';
    const taken = answered((text) => fieldOf(text, 'Call-ID') === callId);
    if (!isCalling) {
      request('MESSAGE', to, unit, { callId, type, body });
      await taken;
      return;
    }
    const isToCall = inTime<void>(`the answer to the alarm of ${unit}`, (resolve) =>
      unanswered.set(unit, resolve),
    );
    request('MESSAGE', to, unit, { callId, type, body });
    await taken;
    // Its answer says that the unit may speak; before it the call of a unit without a password is refused.
    await isToCall;
    const call = `call-${unit}-${alarms}`;
    const done = answered((text) => fieldOf(text, 'Call-ID') === call && !/^SIP\/2\.0 1/.test(text));
    request('INVITE', to, unit, {
      callId: call,
      type: 'Content-Type: application/sdp\r\n',
      body: described(),
    });
    const said = await done;
    if (!said.startsWith('SIP/2.0 200 ')) throw new Error(`the call of ${unit}: ${said.slice(0, 60)}`);
    const toTag = /^To:.*?(;tag=[^;\r]+)/m.exec(said)?.[1] ?? '';
    const uri = /^Contact: .*?<([^>]+)>/m.exec(said)?.[1] ?? `sip:${to}@${domain}`;
    request('ACK', to, unit, { callId: call, toTag, uri });
    up(call, unit, said, '');
  }

  /** The key 1 by RFC 4733: 100 ms, its end three times. */
  async function press(one: Audio): Promise<void> {
    const event = (durationMs: number, isEnd: boolean): Buffer => {
      const payload = Buffer.alloc(4);
      payload[0] = 1;
      payload[1] = (isEnd ? 0x80 : 0) | 10;
      payload.writeUInt16BE(durationMs * 8, 2);
      return payload;
    };
    const time = one.time;
    const say = (payload: Buffer): void => {
      const kept = one.time;
      one.time = time;
      speak(one, one.eventType, payload);
      one.time = kept;
    };
    for (let ms = 20; ms <= 100; ms += 20) {
      say(event(ms, false));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (let copy = 0; copy < 3; copy++) say(event(100, true));
  }

  return {
    ready: null,
    async answer(asked) {
      if (asked.kind === 'react') answers = asked.answers;
      if (asked.kind === 'alarm')
        await Promise.all(asked.units.map(({ unit, to }) => raise(unit, to, asked.calls)));
      if (asked.kind === 'accept')
        await Promise.all(
          [...calls.values()].filter(({ person }) => asked.people.includes(person)).map((one) => press(one)),
        );
      if (asked.kind === 'hangUp') {
        for (const { bye } of calls.values()) if (bye !== '') send(bye);
        calls.clear();
      }
      const streams = grid.streams;
      const isTaken = asked.kind === 'take';
      const answer = {
        rang: isTaken ? rang : [],
        lateMs: isTaken ? grid.take() : [],
        streams,
        ownLateMs: percentile(isTaken ? ownLate.splice(0) : [], 0.99),
        calls: calls.size,
        givenUp: givenUp.size,
      };
      if (isTaken) {
        rang = [];
        givenUp.clear();
      }
      return answer;
    },
    async close() {
      clearInterval(timer);
      for (const socket of [sip, audio, control]) socket.close();
    },
  };

  /** The BYE that ends a call which this INVITE began. */
  function byeOf(invite: string): string {
    const uri = /^Contact: .*?<([^>]+)>/m.exec(invite)?.[1] ?? '';
    const from = fieldOf(invite, 'From');
    const to = fieldOf(invite, 'To');
    const callId = fieldOf(invite, 'Call-ID');
    return (
      `BYE ${uri} SIP/2.0\r\nVia: SIP/2.0/UDP ${HOST}:${own};branch=z9hG4bKbye${count}${callId};rport\r\n` +
      `Max-Forwards: 70\r\nFrom: ${to};tag=callee\r\nTo: ${from}\r\nCall-ID: ${callId}\r\nCSeq: 1 BYE\r\nContent-Length: 0\r\n\r\n`
    );
  }
}

interface Request {
  readonly callId: string;
  readonly tag?: string;
  readonly toTag?: string;
  readonly cseq?: number;
  readonly uri?: string;
  readonly type?: string;
  readonly body?: string;
}

/** A run whose datagram was lost ends with a sentence. */
function inTime<Said>(what: string, wait: (resolve: (said: Said) => void) => unknown): Promise<Said> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${what} did not come within 30 s`)), WITHIN_MS);
    wait((said) => {
      clearTimeout(late);
      resolve(said);
    });
  });
}

async function bound(port: number): Promise<Socket> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: 8 * MB,
    lookup: (host, _options, done) => done(null, host, 4),
  });
  const listening = once(socket, 'listening');
  socket.bind(port, HOST);
  await listening;
  return socket;
}

const fieldOf = (text: string, name: string): string =>
  new RegExp(`^${name}: *(.*)\\r$`, 'm').exec(text)?.[1] ?? '';

/** Fields of a request that its response repeats, To with our tag: as this project writes them. */
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
