import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { CallbackCall, Delivery } from '#appliance/delivery/callback/index.ts';
import { CallbackCopies, INERT, maskedBody } from '#appliance/delivery/copy/index.ts';

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');
const masked = (body: object, salt = 'one'): Record<string, unknown> =>
  JSON.parse(maskedBody(JSON.stringify(body), salt, sha256Hex));

const TOKEN = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(20)}.${'c'.repeat(20)}`;
const PERSONAL = ['Anna', 'Svensson', '+46701234567', '46701234567', '191212121212', 'Storgatan', 'kim@care'];
const ALARM = {
  sessionId: '01m8bc5r60qh9e0zd52gjns8c1',
  domain: 'care.example',
  sourceAlarmProtocol: 'scaip',
  priority: 0,
  time: 1_795_679_286_689,
  replyId: TOKEN,
  callingParty: 'sip:+46701234567@care.example',
  person: { name: 'Anna Svensson', phone: 46_701_234_567, ssn: '191212121212' },
  alarmEvent: { deviceType: 'personalTrigger', statusCode: 'alarmManual', deviceId: 'scaip-0001' },
  note: `call ${TOKEN} back`,
  apiToken: 'ct_secret',
  recordingUrl: 'https://cloud.example/file?sig=abc',
  contacts: ['Storgatan 5', 'kim@care.example'],
  late: false,
};

it('a copy holds no name, no number and nothing that opens anything', () => {
  const text = JSON.stringify(masked(ALARM));
  for (const word of [...PERSONAL, TOKEN, 'eyJ', 'ct_secret', 'sig=']) expect(text).not.toContain(word);
  expect(masked(ALARM)).toMatchObject({
    replyId: INERT,
    apiToken: INERT,
    recordingUrl: 'https://copy.invalid/',
  });
});

it('words of the contract, ids of the platform and measures stay, and so does the form of the rest', () => {
  const copy = masked(ALARM);
  expect(copy).toMatchObject({
    sessionId: ALARM.sessionId,
    domain: ALARM.domain,
    sourceAlarmProtocol: 'scaip',
    time: ALARM.time,
    priority: 0,
    late: false,
    alarmEvent: { deviceType: 'personalTrigger', statusCode: 'alarmManual' },
  });
  const { deviceId } = copy.alarmEvent as { deviceId: string };
  expect(deviceId).toMatch(/^[a-z]{5}-\d{4}$/);
  expect(deviceId).not.toBe('scaip-0001');
  expect(copy.callingParty).toMatch(/^sip:\+\d{11}@[a-z]{4}\.[a-z]{7}$/);
  // One device stays one device within a session, and is another one in the next.
  expect(masked({ deviceId: 'scaip-0001' }).deviceId).toBe(deviceId);
  expect(masked({ deviceId: 'scaip-0001' }, 'two').deviceId).not.toBe(deviceId);
});

it('a text of an event map that is no JSON is masked whole, and a text in a plain field that is no word, too', () => {
  expect(maskedBody('Anna rang +46701234567', 'one', sha256Hex)).toMatch(/^[A-Z][a-z]{3} [a-z]{4} \+\d{11}$/);
  expect(String(masked({ type: 'Anna Svensson' }).type)).not.toContain('Anna');
  expect(String(masked({ status: TOKEN }).status)).not.toContain('eyJ');
});

const call = (path: string, body = '{"priority":1}', traceId = 't1'): CallbackCall => ({
  ...{ path, body, traceId, headers: {}, eventSeq: 1, shape: 'default' },
});
const delivery = (id: string): Delivery => ({ id, attempt: 1, firstCredential: 0, late: false });
const target = {
  domain: 'care.example',
  url: 'https://app.example',
  restAuthentication: [],
  timeoutMs: 1_000,
};

function stage(on = true) {
  const setting = { on };
  const copies = new CallbackCopies({
    isOn: () => setting.on,
    wallMs: () => 5,
    salt: 'one',
    sha256Hex,
  });
  const sent: string[] = [];
  const caller = copies.copying(async (_, { path }) => {
    sent.push(path);
    return { kind: 'failed', code: 'x', reason: 'y' };
  });
  const send = (path: string, body?: string, traceId?: string) =>
    caller(target, call(path, body, traceId), delivery(path));
  return { copies, send, sent, setting };
}

it('a copy is kept behind its callback, in order, and never changes its result', async () => {
  const { copies, send, sent } = stage();
  expect(copies.read({})).toEqual({ copies: [], after: 0, dropped: 0 });
  expect(await send('/newCall')).toMatchObject({ kind: 'failed', code: 'x' });
  await send('/alarm');
  expect(sent).toEqual(['/newCall', '/alarm']);
  const read = copies.read({ after: 0 });
  expect(read?.copies.map(({ path, seq, key }) => [seq, path, key])).toEqual([
    [1, '/newCall', 'copy-/newCall'],
    [2, '/alarm', 'copy-/alarm'],
  ]);
  expect(copies.read({ after: read?.after ?? 0 })).toEqual({ copies: [], after: 2, dropped: 0 });
});

it('a new reader gets nothing of the past; a trace is read again from the beginning', async () => {
  const { copies, send } = stage();
  await send('/a', '{}', 'one');
  await send('/b', '{}', 'two');
  expect(copies.read({})?.copies).toEqual([]);
  expect(copies.read({ traceId: 'one' })?.copies.map(({ path }) => path)).toEqual(['/a']);
});

it('the oldest are dropped, and the reader learns how many', async () => {
  const { copies, send } = stage();
  for (let index = 0; index < 250; index++) await send(`/${index}`);
  const read = copies.read({ after: 10 });
  expect(read?.dropped).toBe(40);
  expect(read?.copies[0]?.path).toBe('/50');
  // Long bodies give way by their length, and one that is longer than an answer is not kept.
  for (let index = 0; index < 100; index++) await send('/long', `"${'x'.repeat(15_000)}"`);
  await send('/longest', `"${'x'.repeat(17_000)}"`);
  const paths: string[] = [];
  for (let after = 0, more = true; more; ) {
    const page = copies.read({ after });
    more = (page?.copies.length ?? 0) > 0;
    after = page?.after ?? 0;
    paths.push(...(page?.copies ?? []).map(({ path }) => path));
    expect(JSON.stringify(page).length).toBeLessThan(48_000);
  }
  expect(paths).not.toContain('/longest');
  expect(paths.filter((path) => path === '/long').length).toBeLessThan(70);
});

it('a filter looks at the path and the masked body only: it finds no name', async () => {
  const { copies, send } = stage();
  await send('/newCall', '{"name":"Anna","type":"x1"}');
  const paths = (filter: string) => copies.read({ after: 0, filter })?.copies.length;
  expect([paths('newCall'), paths('x1'), paths('Anna')]).toEqual([1, 1, 0]);
});

it('a tenant that has copies off has none, and those of before are removed', async () => {
  const { copies, send, setting } = stage();
  await send('/a');
  setting.on = false;
  await send('/b');
  expect(copies.read({ after: 0 })).toBeUndefined();
  setting.on = true;
  expect(copies.read({ after: 0 })?.copies).toEqual([]);
});
