import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { digestCrypto } from '#appliance/io/sip-transport/index.ts';
import { ha1Of } from '#appliance/sip/auth/index.ts';
import { writeRequest } from '#appliance/sip/message/index.ts';
import { realAppliance } from '#test/support/real-appliance.ts';
import { runProgram } from './support/program.ts';

/** A slowed answer comes no earlier: two seconds, less what a timer may be early. */
const SLOWED_MS = 1_950;

/** Allowance of a source is used up by so many wrong passwords; as many again, and it is ignored. */
const WRONG_TRIES = 100;

/** MD5 alone: sipsak gives up before a challenge that begins with SHA-256. */
const digestOf = (password: string) => ({
  md5: ha1Of(digestCrypto().hash, 'MD5', 'phone-1', 'care.example', password),
});

let site: Awaited<ReturnType<typeof realAppliance>>;
const sockets: Socket[] = [];

beforeAll(async () => {
  site = await realAppliance();
  site.bridge();
  site.device({ deviceId: 'phone-1', authType: 'credentials', digest: digestOf('right') });
  site.device({ deviceId: 'scaip-1' });
  site.device({ deviceId: 'behind-1', authType: 'disabled' });
  site.device({
    deviceId: 'app-1',
    authType: 'userid',
    authorized: { domain: 'care.example', register: true, invite: '.*' },
  });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});
afterAll(() => site?.close());

/** One address of loopback is one source: what one does must not concern the others. */
async function source(address: string) {
  const socket = createSocket('udp4');
  sockets.push(socket);
  const received: string[] = [];
  /** When each was heard. */
  const receivedMs: number[] = [];
  socket.on('message', (bytes) => {
    received.push(bytes.toString('latin1'));
    receivedMs.push(performance.now());
  });
  socket.bind(0, address);
  await once(socket, 'listening');
  let asked = 0;
  const statuses = () => received.map((text) => Number(text.slice(8, 11)));
  return {
    heard: received,
    heardMs: receivedMs,
    statuses,
    ask(method: string, user: string, fields: [string, string][] = [], body?: string) {
      const id = `${address}-${++asked}`;
      const request = writeRequest({
        method,
        uri: method === 'REGISTER' ? 'sip:care.example' : 'sip:scaip@care.example',
        headers: [
          ['Via', `SIP/2.0/UDP ${address}:${socket.address().port};branch=z9hG4bK${id};rport`],
          ['Max-Forwards', '70'],
          ['From', `<sip:${user}@care.example>;tag=${asked}`],
          ['To', `<sip:${method === 'REGISTER' ? user : 'scaip'}@care.example>`],
          ['Call-ID', id],
          ['CSeq', `1 ${method}`],
          ...fields,
        ],
        ...(body === undefined ? {} : { body: Buffer.from(body) }),
      });
      socket.send(request, site.port('UDP'), '127.0.0.1');
    },
  };
}

const login = (user: string): [string, string][] => [
  [
    'Authorization',
    `Digest username="${user}", realm="care.example", nonce="x", uri="sip:care.example", response="${'0'.repeat(32)}", algorithm=MD5`,
  ],
];

describe('sipsak', () => {
  const register = (password: string) =>
    runProgram('sipsak', [
      ...['-U', '-i', '-x', '60', '-a', password, '-u', 'phone-1'],
      // An address of the host means its tenant; the program resolves the name it is given.
      ...['-s', `sip:phone-1@127.0.0.1:${site.port('UDP')}`],
    ]);

  it('registers with the right password', async () => {
    expect(await register('right')).toMatchObject({ code: 0 });
    expect(site.runtime.registrations.online('phone-1').registered).toBe(true);
  });

  it('is refused with a wrong one, which raises authError once', async () => {
    for (let i = 0; i < 3; i++) expect((await register('wrong')).code).not.toBe(0);
    const errors = site
      .alarms()
      .filter(({ type, deviceId }) => type === 'authError' && deviceId === 'phone-1');
    expect(errors).toMatchObject([{ reason: 'wrongCredentials', sourceIp: '127.0.0.1' }]);
  });
});

describe('the four kinds of devices, over UDP', () => {
  const alarmOf = (cid: string) => `<mrq><ref>1</ref><cid>${cid}</cid><dty>0004</dty><stc>0010</stc></mrq>`;
  const scaip: [string, string][] = [['Content-Type', 'application/scaip+xml']];
  const contact: [string, string][] = [['Contact', '<sip:somebody@127.0.0.80>']];

  const KINDS = {
    credentials: ['phone-1', { REGISTER: 401, INVITE: 401, MESSAGE: 401 }],
    // It may call in the session of its own alarm, and has none yet.
    deviceid: ['scaip-1', { REGISTER: 200, INVITE: 403, MESSAGE: 200 }],
    // Its token comes over WebSocket.
    userid: ['app-1', { REGISTER: 403, INVITE: 403, MESSAGE: 403 }],
    disabled: ['behind-1', { REGISTER: 403, INVITE: 403, MESSAGE: 403 }],
    // An alarm is that of an unknown unit.
    nobody: ['nobody', { REGISTER: 401, INVITE: 401, MESSAGE: 200 }],
  } as const;

  it.each(Object.keys(KINDS))('%s: what is answered without credentials', async (name) => {
    const kind = name as keyof typeof KINDS;
    const [user, expected] = KINDS[kind];
    const by = await source(`127.0.0.${80 + Object.keys(KINDS).indexOf(kind)}`);
    const answers: Record<string, number> = {};
    for (const method of Object.keys(expected)) {
      const { length } = by.heard;
      if (method === 'MESSAGE') by.ask(method, user, scaip, alarmOf(user));
      else by.ask(method, user, contact);
      const own = () => by.heard.slice(length).find((text) => new RegExp(`CSeq: 1 ${method}\r`).test(text));
      await expect.poll(own).toBeDefined();
      answers[method] = Number(own()?.slice(8, 11));
    }
    expect(answers).toEqual(expected);
  });
});

describe('a scanner', () => {
  it('that tries names and passwords is slowed, then ignored; alarms of its address and other addresses are not', async () => {
    const scanner = await source('127.0.0.66');
    const begunMs = performance.now();
    for (let i = 0; i < 2 * WRONG_TRIES + 50; i++) scanner.ask('REGISTER', `${100 + i}`, login(`${100 + i}`));
    // Everything after the second hundred is ignored; the slowed ones come two seconds later.
    await expect.poll(() => scanner.heard.length).toBeGreaterThan(1.5 * WRONG_TRIES + 20);
    const atOnce = scanner.heardMs.filter((ms) => ms < begunMs + SLOWED_MS).length;
    expect(atOnce).toBeLessThanOrEqual(WRONG_TRIES + 20);
    expect(new Set(scanner.statuses())).toEqual(new Set([401]));
    expect(scanner.heard.length).toBeLessThan(2 * WRONG_TRIES + 50);

    const answered = scanner.heard.length;
    const alarm = '<mrq><ref>9</ref><cid>scaip-1</cid><dty>0004</dty><stc>0010</stc></mrq>';
    scanner.ask('MESSAGE', 'scaip-1', [['Content-Type', 'application/scaip+xml']], alarm);
    await expect.poll(() => scanner.statuses().slice(answered).includes(200)).toBe(true);

    const neighbour = await source('127.0.0.67');
    neighbour.ask('REGISTER', 'phone-1');
    await expect.poll(neighbour.statuses).toEqual([401]);
  });

  it('that names itself is ignored nearly at once', async () => {
    const scanner = await source('127.0.0.68');
    for (let i = 0; i < 20; i++) scanner.ask('REGISTER', `${i}`, [['User-Agent', 'friendly-scanner']]);
    const neighbour = await source('127.0.0.69');
    neighbour.ask('REGISTER', 'phone-1');
    await expect.poll(neighbour.statuses).toEqual([401]);
    expect(scanner.heard.length).toBeLessThan(3);
  });
});
