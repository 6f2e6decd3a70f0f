import { describe, expect, it } from 'vitest';
import {
  HEARTBEATS,
  type HeartbeatEffect,
  type HeartbeatRecord,
  HeartbeatWatch,
  type Moment,
  type SignOfLife,
  type WatchSetting,
} from '#appliance/alarm/heartbeat/index.ts';
import { receivedForm } from '#shared/alarm-event/index.ts';

const MIN = 60_000;
/** Round numbers, for the rules of the machine. */
const FIVE_MINUTES: WatchSetting = { ...HEARTBEATS, checkMs: 5 * MIN, marginMs: 5 * MIN };
const CHECK_MS = FIVE_MINUTES.checkMs;

/** The wall clock stands far from the monotonic one, and is only shown. */
const at = (monoMs: number): Moment => ({ monoMs, wallMs: 1_700_000_000_000 + monoMs });
const sign = (deviceId: string, intervalMs = 10 * MIN): SignOfLife => ({
  tenant: 'care.example',
  deviceId,
  intervalMs,
  bridgeId: 'b1',
  protocol: 'scaip',
  controllerId: deviceId,
});
const changes = (effects: readonly HeartbeatEffect[]) =>
  effects.flatMap((effect) => (effect.type === 'changed' ? [`${effect.deviceId} ${effect.status}`] : []));
const stored = (effects: readonly HeartbeatEffect[]): readonly HeartbeatRecord[] =>
  effects.flatMap((effect) => (effect.type === 'store' ? effect.records : []));

/** Checks every five minutes from `from` up to `to`, with what they reported. */
function checks(watch: HeartbeatWatch, from: number, to: number): string[] {
  const found: string[] = [];
  for (let now = from; now <= to; now += CHECK_MS) {
    found.push(...changes(watch.check(at(now))).map((change) => `${now / MIN} ${change}`));
  }
  return found;
}

describe('the setting of heartbeats', () => {
  it.each([5, 7.5, 10, 61])(
    'reports silence within five minutes after an interval of %d min, and no sooner than four',
    (interval) => {
      for (let seenAt = 0; seenAt < 5 * MIN; seenAt += 17_000) {
        const watch = new HeartbeatWatch();
        watch.seen(sign('d1', interval * MIN), at(seenAt));
        let reportedAt: number | undefined;
        for (let now = 0; reportedAt === undefined; now += HEARTBEATS.checkMs)
          if (changes(watch.check(at(now))).length > 0) reportedAt = now;
        const late = (reportedAt - seenAt) / MIN - interval;
        expect([seenAt, late >= 4, late <= 5]).toEqual([seenAt, true, true]);
      }
    },
  );
});

describe('one device', () => {
  it('is supervised from its first sign of life, which reports nothing', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    const effects = watch.seen(sign('d1'), at(0));
    expect(changes(effects)).toEqual([]);
    expect(stored(effects)).toMatchObject([
      { deviceId: 'd1', status: 'online', lastMs: at(0).wallMs, expiresMs: at(10 * MIN).wallMs },
    ]);
    expect(watch.statusOf('care.example', 'd1')).toEqual({
      heartbeatStatus: 'online',
      heartbeatExpiration: at(10 * MIN).wallMs,
    });
    expect(watch.statusOf('other.example', 'd1')).toBeUndefined();
  });

  it('goes offline once, one check after it was due, and comes back once', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(sign('d1'), at(2 * MIN));
    expect(checks(watch, 0, 120 * MIN)).toEqual(['20 d1 offline']);
    expect(watch.statusOf('care.example', 'd1')?.heartbeatStatus).toBe('offline');
    expect(changes(watch.seen(sign('d1'), at(121 * MIN)))).toEqual(['d1 online']);
    expect(changes(watch.seen(sign('d1'), at(122 * MIN)))).toEqual([]);
    expect(checks(watch, 125 * MIN, 180 * MIN)).toEqual(['140 d1 offline']);
  });

  it('stays online as long as it reports, even at the last moment', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(sign('d1'), at(0));
    for (let now = CHECK_MS; now < 1000 * MIN; now += CHECK_MS) {
      if (now % (15 * MIN) === 0) watch.seen(sign('d1'), at(now - 1));
      expect(changes(watch.check(at(now)))).toEqual([]);
    }
  });

  it('informs platform and receiver when it goes', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(
      { ...sign('north:7:0042'), controllerId: '7', unitId: '0042', customerSiteId: 'north' },
      at(0),
    );
    watch.check(at(0));
    watch.check(at(10 * MIN));
    const [change] = watch.check(at(15 * MIN));
    if (change?.type !== 'changed') throw new Error('no change');
    expect(change.alarm).toMatchObject({
      type: 'deviceHeartbeat',
      detail: { deviceId: 'north:7:0042', status: 'offline', expiration: at(10 * MIN).wallMs },
    });
    expect(receivedForm(change.event)).toEqual({
      eventType: 'common',
      controllerId: '7',
      deviceId: '0042',
      deviceType: 'heartbeat',
      statusCode: 'offline',
      audio: 'none',
      priority: 0,
    });
    expect(change.event.customerSiteId).toBe('north');
    expect(change.bridgeId).toBe('b1');
    expect(change.source).toMatchObject({ protocol: 'scaip', fields: { heartbeat: 'offline' } });
  });
});

describe('the interval', () => {
  it('is at least five minutes', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(sign('d1', 1000), at(0));
    expect(checks(watch, 0, 60 * MIN)).toEqual(['10 d1 offline']);
  });

  it('may become shorter or longer, by a sign of life or by provisioning', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    for (const id of ['d1', 'd2', 'd3', 'd4']) watch.seen(sign(id, 60 * MIN), at(0));
    watch.seen(sign('d1', 10 * MIN), at(MIN));
    watch.configure('care.example', 'd2', 20 * MIN);
    watch.configure('care.example', 'd3', 90 * MIN);
    watch.configure('care.example', 'd4', undefined);
    watch.configure('care.example', 'nobody', 20 * MIN);
    expect(watch.size).toBe(3);
    expect(checks(watch, 0, 120 * MIN)).toEqual(['20 d1 offline', '25 d2 offline', '95 d3 offline']);
  });
});

describe('our own absence', () => {
  const records = (): HeartbeatRecord[] => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(sign('here'), at(0));
    watch.seen(sign('gone'), at(0));
    checks(watch, 0, 10 * MIN);
    watch.seen(sign('here'), at(11 * MIN));
    const effects = watch.check(at(15 * MIN));
    expect(changes(effects)).toEqual(['gone offline']);
    return JSON.parse(JSON.stringify(stored(effects))) as HeartbeatRecord[];
  };

  it('after a restart reports no device, and keeps who was offline', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.restore(records(), at(1000 * MIN));
    expect(watch.statusOf('care.example', 'gone')?.heartbeatStatus).toBe('offline');
    expect(watch.statusOf('care.example', 'here')).toEqual({
      heartbeatStatus: 'online',
      heartbeatExpiration: at(21 * MIN).wallMs,
    });
    expect(checks(watch, 1000 * MIN, 1010 * MIN)).toEqual([]);
    expect(changes(watch.seen(sign('gone'), at(1011 * MIN)))).toEqual(['gone online']);
    expect(checks(watch, 1015 * MIN, 1060 * MIN)).toEqual(['1015 here offline', '1030 gone offline']);
  });

  it('while running (stopped, suspended) restarts every timer', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(sign('d1'), at(0));
    checks(watch, 0, 5 * MIN);
    expect(checks(watch, 500 * MIN, 510 * MIN)).toEqual([]);
    expect(checks(watch, 515 * MIN, 520 * MIN)).toEqual(['515 d1 offline']);
  });

  it('leaves out records it cannot read', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    const record = { tenant: 't', deviceId: 'd', status: 'online', lastMs: 0, expiresMs: 0 } as const;
    watch.restore(
      [
        { ...record, body: '{' },
        { ...record, body: '{}' },
      ],
      at(0),
    );
    expect(watch.size).toBe(0);
  });
});

describe('the journal', () => {
  it('gets a seen device once for each check', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    watch.seen(sign('d1'), at(0));
    for (let i = 1; i <= 4; i++) expect(watch.seen(sign('d1'), at(i * MIN))).toEqual([]);
    expect(stored(watch.check(at(5 * MIN))).map(({ lastMs }) => lastMs)).toEqual([at(4 * MIN).wallMs]);
    expect(watch.check(at(10 * MIN))).toEqual([]);
  });
});

describe('forty thousand devices', () => {
  it('that report every 75 s are never reported, and those that stop are, once', () => {
    const watch = new HeartbeatWatch(FIVE_MINUTES);
    const signs = Array.from({ length: 40_000 }, (_, i) => sign(`d${i}`, 5 * MIN));
    const stopped = (i: number) => i % 1000 === 7;
    const reported: string[] = [];
    let cpu = process.cpuUsage();
    for (let now = 0; now <= 40 * MIN; now += 15_000) {
      if (now === 10 * MIN) cpu = process.cpuUsage();
      for (let i = (now / 15_000) % 5; i < signs.length; i += 5) {
        const one = signs[i];
        if (one !== undefined && !(stopped(i) && now > 10 * MIN)) watch.seen(one, at(now));
      }
      if (now % CHECK_MS === 0) reported.push(...changes(watch.check(at(now))));
    }
    const { user, system } = process.cpuUsage(cpu);
    const lost = signs.flatMap(({ deviceId }, i) => (stopped(i) ? [`${deviceId} offline`] : []));
    expect(reported.sort()).toEqual(lost.sort());
    // Half an hour of their time; the aim is 15 % of a core for everything a heartbeat costs.
    expect((user + system) / 1000 / (30 * MIN)).toBeLessThan(0.02);
  });
});
