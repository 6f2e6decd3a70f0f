import { createPrivateKey, sign } from 'node:crypto';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { XMLParser } from 'fast-xml-parser';
import { Agent } from 'undici';
import { okTo } from '../process/ok-to.ts';
import { type Served, serveParent } from '../process/serve-parent.ts';

/**
 * The steps of an alarm in this runtime and nothing else: XML read, a row synced, a POST that is signed, its answer, the row
 * marked, the answer MESSAGE. No parser of SIP, no transactions, no session, no trace, no retry: the difference is the price of those.
 */
export interface FloorSetting {
  readonly folder: string;
  /** Base URL of the application. */
  readonly url: string;
  /** PEM that its certificate comes from. */
  readonly trust: string;
  /** EC key on P-256, PKCS#8 PEM. */
  readonly key: string;
}

interface Alarm {
  readonly ref: string;
  readonly controller: string;
  readonly type: string;
  readonly status: string;
  readonly body: string;
  readonly text: string;
  readonly from: RemoteInfo;
}

const HOST = '127.0.0.1';

async function start(setting: FloorSetting): Promise<Served<{ port: number }, never, null>> {
  const socket = createSocket({
    type: 'udp4',
    recvBufferSize: 8 * 1024 * 1024,
    lookup: (host, _options, done) => done(null, host, 4),
  });
  const listening = once(socket, 'listening');
  socket.bind(0, HOST);
  await listening;
  const { port } = socket.address();
  const database = new Database(join(setting.folder, 'floor.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(
    'CREATE TABLE alarm (ref TEXT PRIMARY KEY, controller TEXT, type TEXT, status TEXT, body TEXT, decision TEXT)',
  );
  const insert = database.prepare(
    'INSERT INTO alarm (ref, controller, type, status, body) VALUES (?, ?, ?, ?, ?)',
  );
  const decide = database.prepare("UPDATE alarm SET decision = 'drop' WHERE ref = ?");
  const xml = new XMLParser({ parseTagValue: false });
  const key = createPrivateKey(setting.key);
  const agent = new Agent({ connect: { ca: setting.trust }, connections: 256 });
  let arrived: Alarm[] = [];
  let decided: Alarm[] = [];
  let isAwaited = false;

  /** All that came in one round of the event loop shares one sync, as a group commit does. */
  const commit = database.transaction((alarms: readonly Alarm[], settled: readonly Alarm[]) => {
    for (const { ref, controller, type, status, body } of alarms)
      insert.run(ref, controller, type, status, body);
    for (const { ref } of settled) decide.run(ref);
  });

  const later = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    setImmediate(() => {
      isAwaited = false;
      const [alarms, settled] = [arrived, decided];
      [arrived, decided] = [[], []];
      commit(alarms, settled);
      for (const alarm of alarms) {
        socket.send(okTo(alarm.text), alarm.from.port, alarm.from.address);
        void tell(alarm);
      }
      for (const alarm of settled) answer(alarm);
    });
  };

  async function tell(alarm: Alarm): Promise<void> {
    const body = JSON.stringify({
      sessionId: alarm.ref,
      sourceAlarmProtocol: 'scaip',
      alarmEvent: {
        eventType: 'common',
        deviceType: alarm.type,
        statusCode: alarm.status,
        controllerId: alarm.controller,
      },
    });
    const reported = await agent.request({
      origin: setting.url,
      path: '/newAlarmbridgeEvent',
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer(alarm.ref)}` },
      body,
    });
    const { action } = JSON.parse(await reported.body.text()) as { action: string };
    if (action !== 'drop') return;
    decided.push(alarm);
    later();
  }

  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = encoded({ alg: 'ES256', typ: 'JWT' });

  function bearer(id: string): string {
    const issuedS = Math.floor(Date.now() / 1_000);
    const input = `${head}.${encoded({ iss: 'bench', sub: 'bench', jti: id, iat: issuedS, exp: issuedS + 60 })}`;
    return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
  }

  function answer({ ref, controller, from }: Alarm): void {
    const body = `<mrs><ref>${ref}</ref><snu>0</snu></mrs>`;
    socket.send(
      `MESSAGE sip:${controller}@${from.address}:${from.port} SIP/2.0\r\n` +
        `Via: SIP/2.0/UDP ${HOST}:${port};branch=z9hG4bKanswer${ref};rport\r\nMax-Forwards: 70\r\n` +
        `From: <sip:scaip@${HOST}>;tag=${ref}\r\nTo: <sip:${controller}@${HOST}>\r\nCall-ID: ${ref}-answer\r\n` +
        `CSeq: 1 MESSAGE\r\nContent-Type: application/scaip+xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      from.port,
      from.address,
    );
  }

  socket.on('message', (bytes, from) => {
    const text = bytes.toString('latin1');
    if (text.startsWith('SIP/2.0 ')) return;
    if (!text.startsWith('MESSAGE ')) {
      socket.send(okTo(text), from.port, from.address);
      return;
    }
    const body = text.slice(text.indexOf('\r\n\r\n') + 4);
    const { mrq } = xml.parse(body) as { mrq: Record<'ref' | 'cid' | 'dty' | 'stc', string> };
    arrived.push({
      ...{ ref: mrq.ref, controller: mrq.cid, type: mrq.dty, status: mrq.stc },
      ...{ body, text, from },
    });
    later();
  });

  return {
    ready: { port },
    answer: () => null,
    async close() {
      socket.close();
      await agent.destroy();
      database.close();
    },
  };
}

serveParent(start);
