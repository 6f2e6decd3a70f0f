import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from './api.ts';

/* Receivers that take the same calls, and the report about those that go before each other. */

let api: TestApi;
let token: string;
let domain: string;
let tenants = 0;
beforeAll(async () => {
  api = await openApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  tenants += 1;
  domain = `t${tenants}.test`;
  token = await makeTenant(api, domain);
});

const path = (kind = 'alarmbridge', rest = '') =>
  `${kind === 'mediaservice' ? '' : '/provisioning'}/${kind}/${domain}${rest}`;
const send = (method: string, to: string, body?: unknown) => ask(api, method, to, { token, body });
const bridge = (protocol: string, destinationMatch: string, order: number) => ({
  ...{ ...BRIDGE, callbackBaseUrl: undefined, restAuthentication: undefined },
  ...{ protocol, name: `${protocol} ${order}`, destinationMatch, order },
});
const create = async (body: object, kind?: string, query = '') => {
  const answer = await send('POST', path(kind, query), body);
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  return answer.body as { id: string; warnings?: readonly Record<string, unknown>[] };
};
const tested = async (destination: string) =>
  (await send('GET', path('alarmbridge', `/testconfiguration/${destination}`))).body;

test('a wide receiver of another protocol takes nothing of one that works, and nothing is said', async () => {
  const works = await create(bridge('scaip', '^scaip$', 1000));
  const panels = await create(bridge('dc09', '.*', 1));
  const tones = await create(bridge('bs8521', '.*', 2));
  expect([works.warnings, panels.warnings, tones.warnings]).toEqual([undefined, undefined, undefined]);
  const answer = await tested('scaip');
  expect(answer).toMatchObject({ receiver: tones.id, shadowed: [] });
  expect(answer.takers).toEqual([
    { arrival: 'scaip', receiver: works.id, name: 'scaip 1000' },
    { arrival: 'call', receiver: tones.id, name: 'bs8521 2' },
    { arrival: 'frame', receiver: panels.id, name: 'dc09 1' },
  ]);
});

test('testconfiguration takes what a device dials', async () => {
  const alarms = await create(bridge('scaip', '^scaip$', 1));
  const number = await create(bridge('bs8521', '^\\+4685551', 2));
  const panels = await create(bridge('dc09', '^RL0#6401$', 3));
  for (const [dialled, { id }] of [
    ['scaip', alarms],
    ['sip:scaip@care.example', alarms],
    ['SIPS:scaip@192.0.2.1:5061;transport=tls', alarms],
    ['scaip@care.example', alarms],
    ['+46855510', number],
    ['tel:+46855510;phone-context=care.example', number],
    ['gsm:+46855510', number],
    ['6401', panels],
    ['#6401', panels],
    ['L0#6401', panels],
    ['RL0#6401', panels],
  ] as const)
    expect([dialled, (await tested(encodeURIComponent(dialled))).receiver]).toEqual([dialled, id]);
  for (const dialled of ['sip:care.example', 'sip:other@scaip', 'tel:scaip@x', 'R1L0#6401', 'L1#6401'])
    expect([dialled, (await tested(encodeURIComponent(dialled))).error]).toMatchObject([
      dialled,
      { code: 'notFound' },
    ]);
});

test('testconfiguration names a SIP receiver before one of frames, and who is shadowed by whom and why', async () => {
  await create(bridge('dc09', '.*', 1));
  const first = await create(bridge('scaip', '^sca', 5));
  const later = await create(bridge('multiprotocol', '^scaip$', 6));
  expect(await tested('scaip')).toMatchObject({
    receiver: first.id,
    shadowed: [
      {
        receiver: later.id,
        by: first.id,
        arrivals: ['scaip'],
        message: 'scaip 5 (order 5) precedes multiprotocol 6 (order 6) and takes its scaip.',
      },
    ],
  });
});

describe('a write that shadows is done and says so', () => {
  const warning = (code: string, other: string) => ({
    code,
    receiver: other,
    arrivals: ['scaip'],
    destination: 'scaip',
    message: expect.stringContaining('precedes'),
  });

  test('by POST, PUT and PATCH, from either side', async () => {
    const works = await create(bridge('scaip', '^scaip$', 1000));
    const wide = await create(bridge('scaip', '.*', 1));
    expect(wide.warnings).toEqual([warning('shadows', works.id)]);
    const put = await send('PUT', path('alarmbridge', `/${works.id}`), bridge('scaip', '^scaip$', 900));
    expect(put.body).toEqual({ success: true, id: works.id, warnings: [warning('shadowed', wide.id)] });
    const to = (value: number) => [{ op: 'replace', path: '/order', value }];
    const one = path('alarmbridge', `/${wide.id}`);
    // A wide one behind it is what `order` is for.
    expect((await send('PATCH', one, to(2000))).body).toEqual({ success: true });
    expect((await send('PATCH', one, to(2))).body).toEqual({
      success: true,
      warnings: [warning('shadows', works.id)],
    });
  });

  test('a draft is looked at as if it were promoted', async () => {
    const works = await create(bridge('scaip', '^scaip$', 1000));
    const draft = await create(bridge('scaip', '.*', 1), 'alarmbridge', '?provisory=true');
    expect(draft.warnings).toEqual([warning('shadows', works.id)]);
    expect((await create(bridge('scaip', '^scaip$', 1001))).warnings).toEqual([
      warning('shadowed', works.id),
    ]);
  });

  test('names the called address as well', async () => {
    const agent = { name: 'a', destinationMatch: '^door-1$', callbackBaseUrl: 'https://app.example/cb' };
    const first = await create({ ...agent, order: 5 }, 'cloudsipua');
    const second = await create({ ...agent, order: 6 }, 'cloudsipua');
    expect(second.warnings).toMatchObject([{ code: 'shadowed', receiver: first.id, arrivals: ['call'] }]);
  });
});

describe('a receiver of tones takes calls of services, whatever their order', () => {
  const service = {
    name: 'Switchboard',
    destinationMatch: '^desk$',
    callbackBaseUrl: 'https://app.example/cb',
    order: 1,
  };
  const agent = { ...service, name: 'Agent', destinationMatch: '^door-1$' };
  const warning = (code: string, other: string, message: RegExp) => ({
    code,
    receiver: other,
    arrivals: ['call'],
    message: expect.stringMatching(message),
  });

  test('and the write of either side says so', async () => {
    const media = await create(service, 'mediaservice');
    const user = await create(agent, 'cloudsipua');
    const tones = await create(bridge('bs8521', '.*', 1000));
    expect(tones.warnings).toMatchObject([
      warning('shadows', media.id, /alarm bridge bs8521 1000 precedes the media service Switchboard/),
      warning('shadows', user.id, /alarm bridge bs8521 1000 precedes the cloud SIP user agent Agent/),
    ]);
    const put = await send('PUT', path('mediaservice', `/${media.id}`), service);
    expect(put.body).toMatchObject({ warnings: [warning('shadowed', tones.id, /whatever their order/)] });
    const other = await create({ ...service, name: 'Second', destinationMatch: '^front$' }, 'mediaservice');
    expect(other.warnings).toMatchObject([warning('shadowed', tones.id, /narrower destinationMatch/)]);
  });

  test('and testconfiguration names both', async () => {
    const media = await create(service, 'mediaservice');
    const user = await create({ ...agent, destinationMatch: '^de' }, 'cloudsipua');
    const tones = await create(bridge('voicecall', '.*', 1000));
    await create(bridge('scaip', '.*', 1));
    const shadowed = [
      { receiver: media.id, by: tones.id, arrivals: ['call'] },
      { receiver: user.id, by: tones.id, arrivals: ['call'] },
    ];
    expect((await tested('desk')).shadowed).toMatchObject(shadowed);
    const agents = await send('GET', path('cloudsipua', '/testconfiguration/desk'));
    expect(agents.body).toMatchObject({ receiver: user.id, shadowed: [shadowed[1]] });
  });

  test('and a receiver of messages takes none of them', async () => {
    await create(service, 'mediaservice');
    expect((await create(bridge('scaip', '.*', 1))).warnings).toBeUndefined();
    expect((await tested('desk')).shadowed).toEqual([]);
  });
});

describe('the report about a destination', () => {
  const report = async (destination: string, query = '') =>
    (await send('GET', `/provisioning/taker/${domain}/${encodeURIComponent(destination)}${query}`)).body as {
      forms: string[];
      candidates: { id: string; verdict: string; arrivals: string[]; reasons: string[] }[];
    };

  test('names each receiver with the reasons for and against it', async () => {
    const first = await create(bridge('bs8521', '^\\+4685', 1));
    const second = await create(bridge('bs8521', '^\\+46', 2));
    const panels = await create(bridge('dc09', '^\\+4685551', 3));
    const other = await create(bridge('scaip', '^scaip$', 4));
    const { forms, candidates } = await report('tel:+4685551');
    expect(forms).toContain('+4685551');
    expect(candidates.map(({ id, verdict }) => [id, verdict])).toEqual([
      [first.id, 'takes'],
      [panels.id, 'takes'],
      [second.id, 'shadowed'],
      [other.id, 'noMatch'],
    ]);
    expect(candidates[0]).toMatchObject({ arrivals: expect.arrayContaining(['call']) });
    expect(candidates[2]?.reasons).toEqual([
      'Its destinationMatch ^\\+46 matches +4685551.',
      expect.stringMatching(/^bs8521 1 \(order 1\) precedes bs8521 2 \(order 2\) and takes its /),
    ]);
    expect(candidates[3]?.reasons[0]).toMatch(/^Its destinationMatch \^scaip\$ matches none of: .*\+4685551/);
  });

  test('judges a draft as if it were promoted, and says something where no receiver matches', async () => {
    const works = await create(bridge('bs8521', '^door$', 2));
    const draft = await create(bridge('bs8521', '^do', 1), 'alarmbridge', '?provisory=true');
    expect((await report('door')).candidates.map(({ id, verdict }) => [id, verdict])).toEqual([
      [works.id, 'takes'],
    ]);
    expect(
      (await report('door', '?provisory=true')).candidates.map(({ id, verdict }) => [id, verdict]),
    ).toEqual([
      [draft.id, 'takes'],
      [works.id, 'shadowed'],
    ]);
    expect((await report('nothing')).candidates.map(({ verdict }) => verdict)).toEqual(['noMatch']);
  });
});
