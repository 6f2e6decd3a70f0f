import { describe, expect, it } from 'vitest';
import { ProfileTables } from '#appliance/alarm/profile/index.ts';
import { encodeLine } from '#appliance/alarm/protocol/bs8521/index.ts';
import type { AdapterEvent } from '#appliance/alarm/receiving/protocol-adapter.ts';
import { CalledAlarms, type CalledCall } from '#appliance/alarm/sending/called/called-alarms.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';
import { orderTenant } from '../order/order-room.ts';

const read = decodeBs8521('010012345678000001001000');
if (!read.ok) throw new Error(read.error.reason);
/** The string of a unit, as it is heard. */
const LINE = encodeLine(read.value);
const TONE_MS = 70;
/** After this pause a string is whole. */
const QUIET_MS = 180;

interface Bridge {
  readonly id: string;
  readonly protocol: string;
  readonly order?: number;
}

/** A host with these bridges; what the part asks of its neighbours is written down. */
function room(bridges: readonly Bridge[]) {
  const { tenant, bridge } = orderTenant();
  for (const each of bridges) bridge({ ...each });
  let nowMs = 1_000;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const done: string[] = [];
  const events: AdapterEvent[] = [];
  const alarms = new CalledAlarms({ clock, timers, traceMs: () => 0, tenant: () => tenant } as never, {
    alarmSessions: {
      turn: (work: () => void) => work(),
      join: () => done.push('join'),
      event: (_adapter: unknown, event: AdapterEvent) => events.push(event),
      input: (name: string, { type, voice }: { type: string; voice: string }) =>
        done.push(`${name}: ${type} ${voice}`),
    } as never,
    profiles: new ProfileTables({ log: () => undefined, tenant: () => tenant } as never),
    alarms: {
      raise: ({ error, errorDetails }: { error: string; errorDetails: { raw: string } }, traceId: string) =>
        done.push(`raise ${error} ${errorDetails.raw} ${traceId}`),
    } as never,
  });
  const call = (more: Partial<CalledCall> = {}): CalledCall => ({
    ...{ id: 'leg', protocol: 'bs8521', bridgeId: undefined, device: 'unit', us: 'carer', traceId: 't' },
    play: (tones) =>
      void done.push(`play ${tones.map((tone) => ('digit' in tone ? tone.digit : '?')).join('')}`),
    trace: () => undefined,
    taken: () => void done.push('taken'),
    notTaken: () => void done.push('not taken'),
    ...more,
  });
  /** The device says its string, and is quiet. */
  const say = (listener: ReturnType<CalledAlarms['listen']>): void => {
    for (const digit of LINE) {
      const sound = { kind: 'digit', leg: 'leg', digit, source: 'inband', atMs: nowMs } as const;
      listener.sound({ ...sound, edge: 'begin' } as never);
      nowMs += TONE_MS;
      listener.sound({ ...sound, edge: 'end', durationMs: TONE_MS } as never);
      nowMs += TONE_MS;
    }
    const endMs = nowMs - TONE_MS;
    nowMs = endMs + QUIET_MS;
    listener.sound({ kind: 'pause', leg: 'leg', atMs: endMs, forMs: QUIET_MS } as never);
    timers.advance(nowMs);
  };
  const spoken = (more: Partial<CalledCall> = {}) => {
    const listener = alarms.listen(call(more));
    say(listener);
    return { listener, name: events.at(-1)?.conversation ?? '', event: events.at(-1) };
  };
  const pass = (ms: number): void => {
    nowMs += ms;
    timers.advance(nowMs);
  };
  return { alarms, done, events, call, say, spoken, pass };
}

const BS: Bridge = { id: 'bs', protocol: 'bs8521' };
const TT: Bridge = { id: 'tt', protocol: 'tt92' };
const MULTI: Bridge = { id: 'multi', protocol: 'multiprotocol' };

describe('the bridge that takes the alarm of a called device', () => {
  it.each([
    [
      'its own, before one of lower order',
      [
        { ...BS, order: 1 },
        { id: 'own', protocol: 'bs8521', order: 9 },
      ],
      'own',
      'own',
    ],
    ['its own of any protocol of tones, before another of this one', [BS, MULTI], 'multi', 'multi'],
    [
      'one of its protocol, before one of any',
      [
        { ...MULTI, order: 1 },
        { ...BS, order: 9 },
      ],
      undefined,
      'bs',
    ],
    [
      'the lowest order',
      [
        { ...BS, order: 5 },
        { id: 'low', protocol: 'bs8521', order: 2 },
      ],
      undefined,
      'low',
    ],
    [
      'the lower id, where the order is one',
      [
        { id: 'b', protocol: 'bs8521' },
        { id: 'a', protocol: 'bs8521' },
      ],
      undefined,
      'a',
    ],
    ['not its own, where that speaks another protocol', [TT, BS], 'tt', 'bs'],
    ['any receiver, before none', [{ id: 'scaip', protocol: 'scaip' }], 'scaip', 'scaip'],
  ] as const)('is %s', (_name, bridges, bridgeId, expected) => {
    const { event } = room(bridges).spoken({ bridgeId });
    expect(event?.arrival).toMatchObject({
      bridge: { id: expected },
      ...{ protocol: 'bs8521', fromUser: 'unit', calledParty: 'carer' },
    });
  });

  it('without one the device gets no acknowledge, and the platform raises an alarm', () => {
    const { alarms, call, say, done, events } = room([TT]);
    const listener = alarms.listen(call());
    say(listener);
    expect([events, done]).toEqual([[], ['join']]);
    listener.said('the line');
    listener.over();
    expect(done.slice(1)).toEqual(['raise noReceiver the line t', 'not taken']);
  });

  it('a device without a protocol speaks BS 8521, and no other', () => {
    expect(room([BS]).spoken({ protocol: undefined }).event?.arrival?.protocol).toBe('bs8521');
    const { events, spoken } = room([TT]);
    spoken({ protocol: undefined });
    expect(events).toEqual([]);
  });
});

describe('a string of a called device', () => {
  it('has a session of its own, without speech', () => {
    const { event } = room([BS]).spoken();
    expect(event).toMatchObject({
      conversation: expect.stringMatching(/^called leg \d$/),
      said: { ordinal: 0, kind: 'first', offer: { voice: false } },
    });
  });

  it.each([
    ['stored', { type: 'stored', ordinal: 0 }, 'taken'],
    ['not stored', { type: 'storeFailed', ordinal: 0 }, 'not taken'],
    ['without a session that could say so', { type: 'sessionEnded', isDealtWith: false }, 'not taken'],
  ] as const)('that is %s: %s', (_name, input, expected) => {
    const { alarms, done, spoken, pass } = room([BS]);
    const { name } = spoken();
    done.length = 0;
    alarms.input(name, input);
    pass(QUIET_MS);
    expect(done).toContain(expected);
    expect(done.some((line) => line.startsWith('play'))).toBe(expected === 'taken');
  });

  it('that was stored is not taken back by the end of its session', () => {
    const { alarms, done, spoken } = room([BS]);
    const { name } = spoken();
    alarms.input(name, { type: 'stored', ordinal: 0 });
    done.length = 0;
    alarms.input(name, { type: 'sessionEnded', isDealtWith: true });
    alarms.input(name, { type: 'storeFailed', ordinal: 0 });
    expect(done).toEqual([]);
  });

  it('needs no speech after the decision', () => {
    const { alarms, done, spoken } = room([BS]);
    const { name } = spoken();
    done.length = 0;
    alarms.input(name, { type: 'decision', decision: { kind: 'noVoice' } as never });
    expect(done).toEqual([`${name}: answered none`]);
  });

  it('is known by its conversation after a restart, which does not take up its call', () => {
    const { alarms } = room([]);
    const { body, dedupeKey, dedupeMs } = alarms.keep('called leg 0');
    expect([alarms.conversationOf(body), dedupeKey, dedupeMs]).toEqual(['called leg 0', 'called leg 0', 0]);
    expect(alarms.conversationOf(null)).toBeUndefined();
    expect([alarms.alsoStored(), alarms.restore()]).toEqual([[], undefined]);
  });
});
