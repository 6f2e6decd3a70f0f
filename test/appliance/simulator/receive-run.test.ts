import { afterEach, describe, expect, it } from 'vitest';
import {
  openReceiver,
  type ReceiveRun,
  type RunningReceiver,
  simulateDc09,
  simulateLacs,
  simulateNowIp,
  simulateScaip,
  simulateTone,
} from '#appliance/simulator/index.ts';

const open: RunningReceiver[] = [];

afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function centre(run: Pick<ReceiveRun, 'protocol'> & Partial<ReceiveRun>) {
  const running = await openReceiver({
    host: '127.0.0.1',
    port: 0,
    answer: 'acknowledge',
    call: undefined,
    commands: [],
    talkMs: 500,
    key: undefined,
    ...run,
  });
  open.push(running);
  return running;
}

/** How long clear-down takes to be said. */
const TT_CLEAR_MS = { tt92: 2_580, 'tt92-stmf': 2_580, ttnew: 2_000 } as const;

const at = ({ ready }: RunningReceiver): string => `127.0.0.1:${ready.port}`;

describe('a simulated centre', () => {
  const scaip = (to: string) =>
    simulateScaip({
      to,
      transport: 'udp',
      domain: 'demo.carillon.test',
      receiver: 'alarm',
      device: 'scaip-0001',
      password: undefined,
      count: 1,
      rate: 0,
      deviceType: '0003',
      statusCode: '0010',
      trust: undefined,
    });

  it('takes a SCAIP alarm', async () => {
    const arc = await centre({ protocol: 'scaip' });
    expect(await scaip(at(arc))).toMatchObject({ acknowledged: 1, failures: [] });
    expect(arc.alarms).toEqual([expect.stringContaining('<cid>scaip-0001</cid>')]);
  });

  it.each(['busy', 'refuse', 'wrong'] as const)('fails on demand: %s', async (answer) => {
    const arc = await centre({ protocol: 'scaip', answer });
    expect(await scaip(at(arc))).toMatchObject({ acknowledged: 0 });
    expect(arc.alarms).toEqual([]);
  });

  it.each([undefined, '000102030405060708090a0b0c0d0e0f'])('takes DC-09 frames, key %s', async (key) => {
    const arc = await centre({ protocol: 'dc09', key });
    const frame = { to: at(arc), account: '1234', data: 'NBA01', token: 'SIA-DCS', key, count: 2 } as const;
    for (const transport of ['tcp', 'udp'] as const)
      expect(await simulateDc09({ ...frame, transport })).toMatchObject({ acknowledged: 2 });
    expect(arc.alarms).toHaveLength(4);
  });

  it('refuses DC-09 frames on demand (DUH)', async () => {
    const arc = await centre({ protocol: 'dc09', answer: 'refuse' });
    const frame = { account: '1234', data: 'NBA01', token: 'SIA-DCS', key: undefined, count: 1 } as const;
    const outcome = await simulateDc09({ to: at(arc), transport: 'tcp', ...frame });
    expect(outcome).toMatchObject({ acknowledged: 0, failures: [expect.stringContaining('DUH')] });
  });

  it.each(['bs8521', 'tt92', 'tt92-stmf', 'ttnew'] as const)(
    'asks a unit of %s for its alarm, acknowledges, commands and clears it',
    async (protocol) => {
      const steps: { readonly atMs: number; readonly text: string }[] = [];
      const arc = await centre({ protocol, onStep: (step) => steps.push(step) });
      const unitSteps: string[] = [];
      const outcome = await simulateTone({
        to: at(arc),
        transport: 'udp',
        domain: 'demo.carillon.test',
        receiver: 'alarm',
        device: 'unit',
        password: undefined,
        protocol,
        identity: '123456780001',
        talkMs: 30_000,
        onStep: ({ text }) => unitSteps.push(text),
      });
      expect(outcome).toMatchObject({ acknowledged: true });
      expect(arc.alarms).toHaveLength(1);
      const isSequential = protocol === 'tt92-stmf';
      expect(steps.filter(({ text }) => text.endsWith('in sequential tones'))).toHaveLength(
        isSequential ? 24 : 0,
      );
      expect(unitSteps.at(-2)).toBe('is cleared, and hangs up');
      // A unit of TT releases its line within 1.5 to 5 s of the end of clear-down; the centre would have waited for 5.
      const lastSaid = steps.findLast(({ text }) => text.startsWith('says'))?.atMs ?? 0;
      const releasedMs =
        (steps.at(-1)?.atMs ?? 0) - lastSaid - (protocol === 'bs8521' ? 0 : TT_CLEAR_MS[protocol]);
      expect(releasedMs).toBeGreaterThan(protocol === 'bs8521' ? 0 : 1_500);
      expect(releasedMs).toBeLessThan(4_500);
    },
    60_000,
  );

  const byMessage = (to: string) =>
    ({
      to,
      transport: 'udp',
      domain: 'demo.carillon.test',
      receiver: 'alarm',
      device: 'controller',
      password: undefined,
    }) as const;

  it('takes an alarm of NOW-IP, answers its call, commands and clears it', async () => {
    const steps: string[] = [];
    const onStep = ({ text }: { readonly text: string }) => void steps.push(text);
    const arc = await centre({ protocol: 'nowip', commands: ['speak', 'releaseDoorLock1'], onStep });
    const unit = { identity: '123456780001', event: '010', talkMs: 30_000, behaviour: 'confirms' } as const;
    const outcome = await simulateNowIp({ ...byMessage(at(arc)), ...unit });
    expect(outcome.acknowledged).toBe(true);
    expect(arc.alarms).toEqual(['010012345678000101000000']);
    expect(outcome.heard).toEqual([
      'is acknowledged (type A)',
      'is answered',
      'is told to do speak (7), and does it',
      'is told to do output (20001), and does it',
      'is told to do clearDown (D), and does it',
    ]);
    expect(steps.filter((text) => text.startsWith('the controller answers A'))).toHaveLength(3);
  }, 30_000);

  it('takes a sign of life of NOW-IP, and says of one that it is not acknowledged', async () => {
    const arc = await centre({ protocol: 'nowip' });
    const life = { identity: '123456780001', event: undefined, talkMs: 0, behaviour: 'confirms' } as const;
    expect(await simulateNowIp({ ...byMessage(at(arc)), ...life })).toMatchObject({ acknowledged: true });
    expect(arc.alarms).toEqual([]);
    await expect(simulateNowIp({ ...byMessage(at(arc)), ...life, identity: '12' })).rejects.toThrow(
      '12 is no identity',
    );
  });

  it('takes a body of LACS', async () => {
    const arc = await centre({ protocol: 'lacs' });
    const body = '<lacs><ref>{{reference}}</ref></lacs>';
    const outcome = await simulateLacs({ ...byMessage(at(arc)), body });
    expect(outcome).toMatchObject({ acknowledged: true, heard: ['is answered: <ok/>'] });
    expect(arc.alarms).toEqual([expect.stringMatching(/<ref>\d+<\/ref>/)]);
  });
});
