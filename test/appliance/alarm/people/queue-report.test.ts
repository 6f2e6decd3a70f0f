import { describe, expect, it } from 'vitest';
import type { EmergencyList } from '#appliance/alarm/emergency-list/index.ts';
import { QueueReport } from '#appliance/alarm/people/queue-report.ts';
import type { ActiveAlarm } from '#appliance/alarm/receiving/active-alarm.ts';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { recordIdOf } from '#appliance/kernel/session-trace.ts';
import { codedFrom } from '#shared/alarm-event/index.ts';
import { alarmQueuedDataSchema } from '#shared/contract/alarm-queue/index.ts';

const WALL_MS = 1_770_000_000_000;
const EVENT = {
  ...{ controllerId: '12345678', deviceId: '0042', audio: 'duplex', priority: 0 },
  deviceType: codedFrom('deviceType', 'fallDetector'),
  statusCode: codedFrom('statusCode', 'alarm'),
};

function room() {
  const written: JournalWrite[] = [];
  const logged: string[] = [];
  const work: Promise<unknown>[] = [];
  const state = { isFull: false };
  let seq = 0;
  const ports = {
    clock: { wallMs: () => WALL_MS, monoMs: () => 1_000 },
    random: (length: number) => new Uint8Array(length),
    journal: {
      boot: 1,
      runningMs: 0,
      nextSeq: () => ++seq,
      commit: async (writes: readonly JournalWrite[]) => {
        if (state.isFull) throw new Error('no space left on device');
        written.push(...writes);
      },
    },
    place: { siteId: 'north', hostId: 'box-1', epoch: 1, siteBaseUrl: '', address: '' },
    tenant: () => ({ domain: 'care.example' }),
    signReply: () => new Uint8Array(32),
    log: (level: string, event: string) => logged.push(`${level} ${event}`),
    run: (part: Promise<unknown>) => work.push(part),
  } as unknown as ConstructorParameters<typeof QueueReport>[0];
  const alarm = (session: object = {}, facts: object = {}, bridge?: object): ActiveAlarm =>
    ({
      session: {
        first: null,
        offer: { voice: true },
        voiceHere: false,
        outcome: null,
        list: undefined,
        ...session,
      },
      facts: { sessionId: 's1', traceId: 't1', createdMs: WALL_MS - 5_000, protocol: 'scaip', ...facts },
      trace: { traceId: 't1' },
      bridge,
    }) as unknown as ActiveAlarm;
  return {
    ...{ logged, state },
    alarm,
    async send(known: ActiveAlarm, reason = 'no person has accepted') {
      new QueueReport(ports).send(known, reason);
      await Promise.all(work.splice(0));
      return written
        .splice(0)
        .flatMap((write) =>
          write.kind === 'outbox'
            ? [{ row: write.row, data: alarmQueuedDataSchema.parse(JSON.parse(write.row.body)) }]
            : [],
        );
    },
  };
}

describe('an alarm that waits in the alarm queue', () => {
  it('is reported to the control plane on the lane of alarms, as its contract has it', async () => {
    const { send, alarm } = room();
    const session = { first: { event: EVENT }, voiceHere: true, outcome: 'unanswered' };
    const facts = { deviceId: 'flat-12', customerSiteId: 'house-7', recordId: recordIdOf('other', 1) };
    const [sent] = await send(alarm(session, facts, { name: 'Devices' }));
    expect(sent?.row).toMatchObject({ lane: 'alarm', dest: 'cloud' });
    expect(sent?.data).toMatchObject({
      ...{ sessionId: 's1', traceId: 't1', protocol: 'scaip', since: WALL_MS - 5_000 },
      ...{
        recordId: recordIdOf('other', 1),
        hasVoice: true,
        isDeviceHere: true,
        called: 0,
        outcome: 'unanswered',
      },
      ...{ receiver: 'Devices', deviceId: 'flat-12', customerSiteId: 'house-7' },
      ...{ controllerId: '12345678', statusCode: 'alarm', reason: 'no person has accepted' },
    });
  });

  it('has the record that its trace and its begin name, and no member that is not known', async () => {
    const { send, alarm } = room();
    const [sent] = await send(alarm());
    expect(sent?.data.recordId).toBe(recordIdOf('t1', WALL_MS - 5_000));
    for (const name of [
      'outcome',
      'receiver',
      'deviceId',
      'customerSiteId',
      'controllerId',
      'statusCode',
      'location',
    ])
      expect(sent?.data).not.toHaveProperty(name);
  });

  it.each([
    [undefined, 'ended'],
    [{ phase: 'ended', attempts: [] }, 'ended'],
    [{ phase: 'talking', attempts: [{}] }, 'talking'],
    [{ phase: 'calling', attempts: [{}] }, 'ringing'],
    [{ phase: 'calling', attempts: [] }, 'none'],
  ])('with the list %j has the call %s', async (list, call) => {
    const { send, alarm } = room();
    const [sent] = await send(alarm({ list: list && ({ made: 2, ...list } as unknown as EmergencyList) }));
    expect(sent?.data).toMatchObject({ call, called: list === undefined ? 0 : 2 });
  });

  it('has a reason that is cut to what the control plane takes', async () => {
    const { send, alarm } = room();
    expect((await send(alarm(), 'x'.repeat(2_000)))[0]?.data.reason).toHaveLength(1_000);
  });

  it('is in the log when its report cannot be stored', async () => {
    const { send, alarm, state, logged } = room();
    state.isFull = true;
    expect(await send(alarm())).toEqual([]);
    expect(logged).toEqual(['error alarm_queue.report_failed']);
  });
});
