import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import type { Flow } from '#appliance/sip/endpoint/index.ts';
import { parseMessage, type SipMessage, writeRequest, writeResponse } from '#appliance/sip/message/index.ts';
import { replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { testAppliance } from '#test/support/appliance.ts';

const CALLS = 8_000;
const CANCELLED = 200;
const WARM_UP = 1_000;
/** Calls under way together; the appliance lets a tenant begin so many in a second. */
const BATCH = 50;
/** Until the last transaction, timer and kept dialog has ended. */
const SETTLED_MS = 600_000;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const appliance = await testAppliance();
afterAll(() => appliance.close());

/** A trunk with many addresses calls a telephone that is registered; both are scripts without a memory. */
const addressOf = (i: number) => `198.51.100.${1 + (i % 200)}`;
const flow = (remoteAddress: string): Flow => ({
  transport: 'UDP',
  reliable: false,
  localAddress: '192.0.2.10',
  localPort: 5060,
  remoteAddress,
  remotePort: 5060,
  connection: 0,
});
const SDP = Buffer.from(
  'v=0\r\no=- 1 1 IN IP4 198.51.100.1\r\ns=-\r\nc=IN IP4 198.51.100.1\r\nt=0 0\r\nm=audio 4000 RTP/AVP 8\r\n',
);
const BO = '192.0.2.21';

type Fields = [string, string][];

function send(
  from: string,
  method: string,
  uri: string,
  fields: Fields,
  branch: string,
  body?: Uint8Array,
): void {
  const headers: Fields = [
    ['Via', `SIP/2.0/UDP ${from}:5060;branch=${branch}`],
    ['Max-Forwards', '70'],
    ...fields,
  ];
  const sdp: Fields = body === undefined ? [] : [['Content-Type', 'application/sdp']];
  appliance.runtime.message(
    flow(from),
    writeRequest({ method, uri, headers: [...headers, ...sdp], ...(body === undefined ? {} : { body }) }),
  );
}

function respond(request: SipMessage, status: number, sdp?: Uint8Array): void {
  const copied = ['From', 'Call-ID', 'CSeq'].map((name): [string, string] => [
    name,
    request.header(name) ?? '',
  ]);
  const to = request.header('To') ?? '';
  const headers: Fields = [
    ...request.headers('Via').map((via): [string, string] => ['Via', via]),
    ...copied,
    ['To', to.includes(';tag=') ? to : `${to};tag=bo`],
    ['Contact', `<sip:bo@${BO}>`],
    ...(sdp === undefined ? [] : ([['Content-Type', 'application/sdp']] as Fields)),
  ];
  appliance.runtime.message(
    flow(BO),
    writeResponse({ status, reason: 'Said', headers, ...(sdp === undefined ? {} : { body: sdp }) }),
  );
}

/** Messages sent since, by their destination. */
async function sent(): Promise<{ readonly to: string; readonly message: SipMessage }[]> {
  await appliance.quiet();
  return appliance.sent.splice(0).flatMap(({ flow: { remoteAddress: to }, bytes }) => {
    const parsed = parseMessage(bytes);
    return parsed.ok ? [{ to, message: parsed.value }] : [];
  });
}

let number = 0;
let answered = 0;
let cancelled = 0;

/** A batch of calls from the first INVITE to the last 200 of a BYE; or each is cancelled while it rings. */
async function batch(size: number, cancel = false): Promise<void> {
  const first = number;
  number += size;
  const callOf = (id: number): Fields => [
    ['From', `<sip:+46${id}@carrier.example>;tag=c${id}`],
    ['Call-ID', `storm-${id}`],
  ];
  const uri = 'sip:bo@care.example';
  for (let id = first; id < number; id++) {
    const fields: Fields = [
      ...callOf(id),
      ['To', `<${uri}>`],
      ['CSeq', '1 INVITE'],
      ['Contact', `<sip:c@${addressOf(id)}>`],
    ];
    send(addressOf(id), 'INVITE', uri, fields, `z9hG4bKi${id}`, SDP);
  }
  for (let quiet = false; !quiet; ) {
    const messages = await sent();
    quiet = messages.length === 0;
    for (const { to, message } of messages) {
      if (message.kind === 'request') {
        if (message.method === 'INVITE') {
          respond(message, 180);
          if (!cancel) respond(message, 200, SDP);
        } else if (message.method !== 'ACK') {
          respond(message, 200);
          // RFC 3261 9.2: a CANCEL that is taken ends its INVITE, too.
          if (message.method === 'CANCEL') respondTerminated(message);
        }
        continue;
      }
      const id = Number(message.callId.slice(6));
      if (!message.callId.startsWith('storm-')) continue;
      const dialog: Fields = [...callOf(id), ['To', message.header('To') ?? '']];
      if (message.cseq.method === 'INVITE' && message.status === 200) {
        answered++;
        const contact = message.contacts.ok ? message.contacts.value[0]?.uriText : undefined;
        send(to, 'ACK', contact ?? uri, [...dialog, ['CSeq', '1 ACK']], `z9hG4bKa${id}`);
        send(to, 'BYE', contact ?? uri, [...dialog, ['CSeq', '2 BYE']], `z9hG4bKb${id}`);
      } else if (message.cseq.method === 'INVITE' && message.status === 180 && cancel) {
        send(to, 'CANCEL', uri, [...callOf(id), ['To', `<${uri}>`], ['CSeq', '1 CANCEL']], `z9hG4bKi${id}`);
      } else if (message.cseq.method === 'INVITE' && message.status >= 300) {
        if (message.status === 487) cancelled++;
        send(to, 'ACK', uri, [...dialog, ['CSeq', '1 ACK']], `z9hG4bKi${id}`);
      }
    }
  }
  await appliance.after(1_000);
  // The notes of the fake networks are no memory of the appliance.
  appliance.sent.length = 0;
  appliance.media.sent.length = 0;
}

function respondTerminated(cancel: SipMessage): void {
  const text = cancel.bytes.toString('latin1').replace(/CSeq: (\d+) CANCEL/, 'CSeq: $1 INVITE');
  const invite = parseMessage(Buffer.from(text.replace(/^CANCEL /, 'INVITE '), 'latin1'));
  if (invite.ok) respond(invite.value, 487);
}

async function heapAtRest(): Promise<number> {
  await appliance.after(SETTLED_MS);
  appliance.sent.length = 0;
  appliance.media.sent.length = 0;
  // The records of a host lie on its disk.
  appliance.records.clear();
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
  return process.memoryUsage().heapUsed;
}

/** For longer than the storm lasts. */
async function register(): Promise<void> {
  const fields: Fields = [
    ['From', '<sip:bo@care.example>;tag=r'],
    ['To', '<sip:bo@care.example>'],
    ['Call-ID', 'register'],
    ['CSeq', '1 REGISTER'],
    ['Contact', `<sip:bo@${BO}>`],
    ['Expires', '86400'],
  ];
  send(BO, 'REGISTER', 'sip:care.example', fields, 'z9hG4bKr');
  await appliance.quiet();
}

test(`after ${CALLS} calls and ${CANCELLED} cancelled ones the heap is back within 10 %`, {
  timeout: 300_000,
}, async () => {
  appliance.device({ deviceId: 'bo' });
  const trunk = {
    id: 't',
    name: 'Carrier',
    direction: 'in',
    ipAllowList: ['198.51.100.0/24'],
    srtp: 'never',
  };
  appliance.tenant.put('trunk', 't', replicatedTrunkSchema.parse(trunk));
  await register();
  for (let i = 0; i < WARM_UP; i += BATCH) await batch(BATCH, i % (BATCH * 10) === 0);
  const before = await heapAtRest();
  answered = 0;
  cancelled = 0;
  for (let i = 0; i < CALLS; i += BATCH) {
    await batch(BATCH);
    if (i % (CALLS / (CANCELLED / BATCH)) === 0) await batch(BATCH, true);
  }
  expect([answered, cancelled]).toEqual([CALLS, CANCELLED]);
  const after = await heapAtRest();
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0, transactions: 0 });
  expect(appliance.media.openLegs).toEqual([]);
  expect(appliance.recorder.size).toBe(0);
  expect(appliance.logged.filter((line) => /^(error|defect)/.test(line))).toEqual([]);
  const kB = (bytes: number) => Math.round(bytes / 1_024);
  expect(after, `heap ${kB(before)} kB before, ${kB(after)} kB after`).toBeLessThan(before * 1.1);
});
