import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  openPhone,
  openRecordingClient,
  simulateDc09,
  simulateScaip,
  simulateTone,
} from '#appliance/simulator/index.ts';
import { provisionSimulated, toneReceiver } from '#installer/step/demo-simulated.ts';
import { callAsAsked } from '#installer/step/device-call.ts';
import { openSite, type Site } from '#test/support/site.ts';

/* Every simulator runs against the demo without a flag, and none of them leaves an incident behind. */
let site: Site;

beforeAll(async () => {
  site = await openSite({
    provision: async ({ api, token, callbacks }) => {
      const plan = {
        baseUrl: api,
        bootstrapToken: token,
        arcUrl: callbacks.callbackBaseUrl,
        signingKeyPem: (callbacks.restAuthentication as { secret: string }[])[0]?.secret ?? '',
        token,
        telephonePassword: '',
        needsClaim: false,
      };
      await provisionSimulated(plan);
      // A second start of the demo does the same again.
      await provisionSimulated(plan);
    },
  });
}, 120_000);
afterAll(() => site.close());

const password = 'for telephones';
const route = () => ({ to: site.sip, transport: 'udp' as const, domain: site.domain });
const alarmsOf = (type: string) => site.received.filter((received) => received.type === type);

it.each(['tt92', 'tt92-stmf', 'ttnew', 'contactId', 'p100'] as const)(
  'an analogue unit that speaks %s has a receiver and is known',
  async (protocol) => {
    const unit = { device: 'analogue-0001', password, identity: '123456780001', protocol };
    let acknowledged = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      acknowledged = resolve;
    });
    const outcome = await simulateTone({
      ...route(),
      ...unit,
      receiver: toneReceiver(protocol),
      talkMs: 40_000,
      until,
      onStep: ({ text }) => {
        if (text === 'the alarm is acknowledged') acknowledged();
      },
    });
    expect(outcome).toMatchObject({ acknowledged: true });
    expect(alarmsOf('unknownDevice')).toEqual([]);
  },
  60_000,
);

it('the recording client has its service, and the session is written to a file', async () => {
  const client = await openRecordingClient({ ...route(), service: 'recorder', user: 'operator', password });
  await client.end();
  expect(await client.over).toBe('us');
  const paths = () => site.received.map(({ path }) => path);
  await expect.poll(paths, { timeout: 10_000 }).toContain('/callrecording/recordingStarted');
}, 60_000);

it('a panel of the account that the simulator has is known', async () => {
  const frame = { account: '1234', token: 'SIA-DCS', data: 'NBA01', key: undefined, count: 1 } as const;
  const events = () => site.received.filter(({ path }) => path === '/newAlarmbridgeEvent').length;
  const before = events();
  const to = `127.0.0.1:${site.dc09}`;
  expect(await simulateDc09({ to, transport: 'tcp', ...frame })).toMatchObject({ acknowledged: 1 });
  await expect.poll(events, { timeout: 10_000 }).toBeGreaterThan(before);
  expect(alarmsOf('unknownDevice')).toEqual([]);
}, 60_000);

it('a device that an answer asks to call does call, before its next alarm', async () => {
  const operator = await openPhone({
    ...route(),
    user: 'operator',
    password,
    srtp: 'negotiated',
    says: {},
  });
  operator.answer(100, () => undefined);
  const calls: string[] = [];
  try {
    const device = { ...route(), user: 'scaip-0001', password: undefined };
    const outcome = await simulateScaip({
      ...device,
      receiver: 'scaip',
      device: device.user,
      count: 2,
      rate: 0,
      deviceType: '0003',
      statusCode: '0010',
      trust: undefined,
      speak: async (number) => {
        await callAsAsked({ openPhone }, device, number, 20_000);
        calls.push(number);
      },
    });
    expect(outcome).toMatchObject({ sent: 2, acknowledged: 2 });
    expect(calls).toEqual(Array(2).fill(`sip:operator@${site.domain}`));
    expect(alarmsOf('serviceAlarm')).toEqual([]);
    expect(alarmsOf('unknownDevice')).toEqual([]);
  } finally {
    await operator.close();
  }
}, 90_000);
