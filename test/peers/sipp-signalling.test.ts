import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, type PeerSite, phone, startPeerSite } from './support/peer-site.ts';
import { received, runSipp } from './support/sipp.ts';

const PHONES = 1_000;
const PASSWORD = 'correct-horse';
let site: PeerSite;

beforeAll(async () => {
  site = await startPeerSite({
    bridges: (url) => [{ id: 'b', name: 'SCAIP', destinationMatch: '^scaip$', callbackBaseUrl: url }],
    devices: [
      ...Array.from({ length: PHONES }, (_, number) => phone(`phone-${number}`, PASSWORD)),
      ...['device-1', 'device-2', 'device-3'].map((deviceId) => ({ deviceId })),
    ],
  });
});
afterAll(() => site?.close());

const port = (transport: 'udp' | 'tcp') =>
  transport === 'udp' ? site.appliance.ready.udp : site.appliance.ready.tcp;
const login = (user: string, password: string) => [
  user,
  `[authentication username=${user} password=${password}]`,
];
const alarm = (ref: string, cid: string) => `<mrq><ref>${ref}</ref><cid>${cid}</cid><dty>3</dty></mrq>`;

describe.each(['udp', 'tcp'] as const)('SIPp over %s', (transport) => {
  const common = () => ({ transport, port: port(transport), domain: DOMAIN });

  it('registers with digest and sees its binding', async () => {
    const outcome = await runSipp({
      scenario: 'register.xml',
      ...common(),
      calls: [login('phone-1', PASSWORD)],
    });
    expect(outcome).toMatchObject({ code: 0, errors: '' });
  });

  it('is challenged again with a wrong password', async () => {
    const outcome = await runSipp({
      scenario: 'register.xml',
      ...common(),
      withinS: 3,
      calls: [login('phone-2', 'wrong')],
    });
    expect(outcome.code).not.toBe(0);
    expect(statuses(outcome.messages).slice(0, 2)).toEqual(['401', '401']);
    expect(statuses(outcome.messages)).not.toContain('200');
  });

  it('gets a refusal of a malformed request, and the next one is answered', async () => {
    const outcome = await runSipp({ scenario: 'malformed.xml', ...common(), calls: [['-']] });
    expect(outcome).toMatchObject({ code: 0, errors: '' });
    expect(statuses(outcome.messages)).toEqual(['400', '200']);
  });
});

describe('SIPp over udp', () => {
  const common = () => ({ transport: 'udp' as const, port: port('udp'), domain: DOMAIN });

  it('returns with two thousand registrations, all of them within 30 s', async () => {
    const before = (await site.appliance.ask('report')).registrations;
    const calls = Array.from({ length: 2 * PHONES }, (_, call) => login(`phone-${call % PHONES}`, PASSWORD));
    const run = { scenario: 'register.xml', ...common(), calls, perSecond: 400, atOnce: 1_000, withinS: 30 };
    const outcome = await runSipp(run);
    expect(outcome).toMatchObject({ code: 0, errors: '' });
    expect((await site.appliance.ask('report')).registrations).toBeGreaterThan(before + PHONES - 5);
  });

  // SIPp in turn repeats its request when it sees the same answer again: there are many more than two.
  it('gets the same 200 for the same request, and the application hears once', async () => {
    await site.application.ask('take');
    const outcome = await runSipp({
      scenario: 'same-branch-twice.xml',
      outOfCall: 'scaip-answer.xml',
      ...common(),
      withinS: 5,
      calls: [['scaip', 'device-1', alarm('TWICE', 'device-1')]],
    });
    const answers = received(outcome.messages).filter((text) => text.startsWith('SIP/2.0 200'));
    expect(answers.length).toBeGreaterThan(1);
    expect(new Set(answers).size).toBe(1);
    expect(outcome.log.match(/<ref>TWICE<\/ref>/g)).toHaveLength(1);
    expect(await eventsOf('TWICE')).toHaveLength(1);
  });

  it.each(['udp', 'tcp'] as const)(
    'over %s loses neither of two alarms that share a branch',
    async (transport) => {
      await site.application.ask('take');
      // The same reference again would be the same alarm.
      const refs = [`SAME2${transport}`, `SAME3${transport}`] as const;
      const outcome = await runSipp({
        scenario: 'branch-collision.xml',
        outOfCall: 'scaip-answer.xml',
        ...common(),
        transport,
        port: port(transport),
        calls: [
          ['scaip', 'device-2', alarm(refs[0], 'device-2')],
          ['scaip', 'device-3', alarm(refs[1], 'device-3')],
        ],
      });
      expect(outcome).toMatchObject({ code: 0, errors: '' });
      const events = (await site.application.ask('take')).map(({ body }) => body);
      for (const ref of refs) {
        expect(outcome.log).toContain(`<ref>${ref}</ref>`);
        expect(events.filter((body) => body.includes(`"ref":"${ref}"`))).toHaveLength(1);
      }
    },
  );

  it('leaves no defect and no warning behind', async () => {
    const { counts, logged } = await site.appliance.ask('report');
    expect(counts.defects).toBe(0);
    expect(logged).toEqual([]);
  });
});

async function eventsOf(ref: string): Promise<string[]> {
  const received = await site.application.ask('take');
  return received.map(({ body }) => body).filter((body) => body.includes(`"ref":"${ref}"`));
}

const statuses = (trace: string): string[] =>
  received(trace).flatMap((text) => /^SIP\/2\.0 (\d{3})/.exec(text)?.[1] ?? []);
