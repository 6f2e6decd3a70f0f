import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChainOutcome } from '#appliance/delivery/callback/index.ts';
import { type UsageData, usageDataSchema } from '#shared/contract/feed/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';
import { telephones } from '#test/support/telephone.ts';

/* Usage that a host reports, hour by hour: alarms, calls and callbacks as they end. Only the cloud is not there. */

const HOUR = 3_600_000;
type Appliance = Awaited<ReturnType<typeof testAppliance>>;

let folder: string;
let appliance: Appliance;
/** The file that keeps what was counted. */
let kept: string | undefined;
let savable: boolean;

const usage = {
  load: () => kept,
  save: async (text: string) => {
    if (!savable) throw new Error('no space left on device');
    kept = text;
  },
};

async function boot(): Promise<void> {
  appliance = await testAppliance({ folder, usage });
  appliance.bridge();
  appliance.device({ deviceId: 'scaip-0001' });
  appliance.answerBy(() => answered({ action: 'drop' }));
  appliance.runtime.restore();
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-usage-'));
  kept = undefined;
  savable = true;
  await boot();
});
afterEach(async () => {
  await appliance.close();
  rmSync(folder, { recursive: true, force: true });
});

let refs = 0;

/** One alarm until its session is over. */
async function alarm(user = 'scaip', event = '<dty>0003</dty><stc>0010</stc>'): Promise<void> {
  const body = `<mrq><ref>U${refs++}</ref><cid>scaip-0001</cid>${event}</mrq>`;
  appliance.request('MESSAGE', 'scaip-0001', { body, uri: `sip:${user}@care.example` });
  await appliance.quiet();
  for (const message of appliance.take()) if (message.kind === 'request') appliance.confirm(message);
  await appliance.quiet();
}

const rows = () => appliance.journal.pending('cloud', 'usage', 0, 100).filter(({ type }) => type === 'usage');
const reported = (): UsageData[] => rows().map(({ body }) => usageDataSchema.parse(JSON.parse(body)));
const sums = (all = reported()): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { counts } of all)
    for (const { of, protocol, result, n } of counts) {
      const key = [of, protocol, result].filter((word) => word !== '').join(' ');
      found[key] = (found[key] ?? 0) + n;
    }
  return found;
};
const untilHour = () => HOUR - (appliance.clock.wallMs() % HOUR);

describe('alarms', () => {
  it('are reported at the full hour with the callbacks that carried them, and an hour without use is not reported', async () => {
    await alarm();
    await alarm();
    await appliance.after(untilHour() - 1);
    expect(rows()).toEqual([]);
    await appliance.after(1);
    expect(sums()).toEqual({ 'alarm scaip handled': 2, 'callback delivered': 2 });
    const [span] = reported();
    expect(span?.to).toBe(appliance.clock.wallMs());
    await appliance.after(3 * HOUR);
    expect(rows()).toHaveLength(1);
    await alarm();
    await appliance.after(HOUR);
    expect(reported()).toHaveLength(2);
    expect(sums()['alarm scaip handled']).toBe(3);
  });

  it('are reported by their result', async () => {
    const emergency = { defaultEmergencyDestination: 'sip:operator@arc.example' };
    appliance.bridge({ id: 'b2', destinationMatch: '^people$', ...emergency });
    appliance.bridge({
      id: 'b3',
      destinationMatch: '^nobody$',
      customEventMap: { rules: [{ when: { 'alarmEvent.controllerId': 'scaip-0001' }, drop: true }] },
    });
    const bad: ChainOutcome = { kind: 'failed', code: 'unreachable', reason: 'nobody is there' };
    appliance.answerBy(({ body }) =>
      body.calledParty === 'people' ? answered({ action: 'callEmergencyCenter' }) : bad,
    );
    await alarm('people');
    await alarm('nobody');
    await alarm('scaip');
    // The call that people wait for never comes.
    await appliance.after(HOUR);
    expect(sums()).toMatchObject({
      'alarm scaip emergency': 1,
      'alarm scaip dropped': 1,
      'alarm scaip failed': 1,
    });
  });

  it('are not reported twice by a crash at any point, and not lost where they were kept', async () => {
    await alarm();
    await appliance.after(61_000);
    expect(kept).toContain('scaip');
    // Crash: what the file says is all there is.
    const atMinute = kept;
    await appliance.close(true);
    await boot();
    await alarm();
    await appliance.after(untilHour());
    expect(sums()['alarm scaip handled']).toBe(2);
    expect(kept).toBe('[]');
    // Crash between the event and the file: the file still has the span.
    kept = atMinute;
    await appliance.close(true);
    await boot();
    await appliance.after(2 * HOUR);
    expect(sums()['alarm scaip handled']).toBe(2);
    expect(kept).toBe('[]');
  });

  it('wait while the disk is full, and are reported once when it is not', async () => {
    await alarm();
    savable = false;
    appliance.refuseCommits((writes) => writes.some((write) => write.kind === 'outbox'));
    await appliance.after(untilHour() + 5 * 60_000);
    expect(rows()).toEqual([]);
    expect(appliance.logged).toContainEqual(expect.stringContaining('usage.write_failed'));
    savable = true;
    appliance.refuseCommits(undefined);
    await appliance.after(61_000);
    expect(sums()['alarm scaip handled']).toBe(1);
    expect(reported()[0]?.to).toBeLessThan(appliance.clock.wallMs() - 5 * 60_000);
    await appliance.after(HOUR);
    expect(rows()).toHaveLength(1);
  });

  it('the end of service reports what runs, once, and later calls apart from it', async () => {
    await alarm();
    await appliance.runtime.usage.tellAll();
    await appliance.runtime.usage.tellAll();
    expect(sums()).toEqual({ 'alarm scaip handled': 1, 'callback delivered': 1 });
    expect(reported()[0]?.to).toBe(appliance.clock.wallMs());
    await alarm();
    await appliance.after(untilHour());
    expect(sums()['alarm scaip handled']).toBe(2);
    expect(rows()).toHaveLength(2);
  });

  it('a graceful stop keeps what runs', async () => {
    await alarm();
    await appliance.runtime.usage.flush();
    await appliance.close(true);
    await boot();
    await appliance.after(untilHour());
    expect(sums()['alarm scaip handled']).toBe(1);
  });
});

describe('calls', () => {
  it('are reported by their result, and how long people talked', async () => {
    const net = telephones(appliance);
    const anna = await net.device('anna', '192.0.2.20');
    const bo = await net.device('bo', '192.0.2.21');
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    bo.respond(invite, 180);
    await net.after(4_000);
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    bo.request('ACK');
    await net.after(7_000);
    anna.inDialog(talk, 'BYE');
    await net.pump();
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
    expect(kept ?? '').not.toContain('answered');

    await anna.invite('bo', net.pump);
    bo.respond(bo.request('INVITE'), 486);
    await net.after(33_000, 5_000);
    expect(appliance.runtime.load.calls).toBe(0);
    await appliance.after(untilHour());
    expect(sums()).toEqual({ 'call answered': 1, 'call busy': 1, callSecond: 7 });
  });
});
