import { describe, expect, it } from 'vitest';
import {
  type DrainEffect,
  type DrainInfo,
  type DrainInput,
  serving,
  stepDrain,
} from '#appliance/site/index.ts';
import { drainProgressSchema } from '#shared/contract/feed/index.ts';

const OP = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const idle: DrainInfo = {
  services: ['sip', 'media'],
  calls: { ordinary: 0, alarm: 0 },
  lanes: { alarm: 0, svc: 0 },
  target: 'h2',
  places: { sip: 'h2', media: 'h2' },
  hasPeers: true,
  vip: undefined,
  hostId: 'h1',
};

function host() {
  let state = serving;
  let wallMs = 0;
  const reports: string[] = [];
  const act = (input: DrainInput): readonly string[] => {
    const step = stepDrain(state, input);
    state = step.state;
    for (const effect of step.effects) if (effect.kind === 'report') reports.push(reportOf(effect));
    return step.effects.flatMap((effect) =>
      effect.kind === 'report' ? [] : [effect.kind === 'admit' ? effect.admittance : effect.kind],
    );
  };
  return {
    reports,
    at: () => state.at,
    twin: (change: Partial<Extract<DrainInput, { kind: 'twin' }>> = {}) =>
      act({
        kind: 'twin',
        life: 'draining',
        op: OP,
        doNotReschedule: false,
        force: false,
        deadline: 3_600_000,
        ...change,
      }),
    look: (change: Partial<DrainInfo> = {}, afterMs = 1_000) => {
      wallMs += afterMs;
      return act({ kind: 'look', facts: { ...idle, ...change }, wallMs, atMs: wallMs });
    },
  };
}

function reportOf({ progress }: Extract<DrainEffect, { kind: 'report' }>): string {
  drainProgressSchema.parse(progress);
  const { step, services, calls, lanes, blocked } = progress;
  const [sip] = services;
  return [
    step,
    `${sip?.state}${sip?.to ? ` ${sip.to}` : ''}`,
    calls.ordinary + calls.alarm,
    lanes.alarm + lanes.svc,
    blocked?.code,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
}

const calls = (ordinary: number, alarm = 0) => ({ calls: { ordinary, alarm } });

describe('a drain', () => {
  it('goes through its steps, says each, and closes only when nothing is left', () => {
    const h1 = host();
    expect(h1.twin()).toEqual(['cordoned']);
    expect(h1.look(calls(2, 1))).toEqual([]);
    expect(h1.look(calls(0, 1), 10_000)).toEqual([]);
    expect(h1.look({ lanes: { alarm: 3, svc: 1 } })).toEqual([]);
    expect(h1.look()).toEqual(['closed', 'pauseServices']);
    expect(h1.reports).toEqual([
      'calls ready h2 3 0',
      'calls ready h2 1 0',
      'flush ready h2 0 4',
      'done moved h2 0 0',
    ]);
    expect(h1.look()).toEqual([]);
    expect(h1.twin({ life: 'drained' })).toEqual([]);
    expect(h1.twin({ life: 'active', op: null })).toEqual(['resumeServices', 'open']);
  });

  it('is done by one look on an idle host', () => {
    const h1 = host();
    h1.twin();
    expect(h1.look()).toEqual(['closed', 'pauseServices']);
    expect(h1.at()).toBe('done');
  });

  it('is lifted from anywhere by a twin that wants the host active', () => {
    const h1 = host();
    h1.twin();
    h1.look(calls(1));
    expect(h1.twin({ life: 'active', op: null })).toEqual(['open']);
    expect(h1.look()).toEqual([]);
  });

  it('is over at once for a host that was drained when it was switched off', () => {
    expect(host().twin({ life: 'drained' })).toEqual(['closed', 'pauseServices']);
  });

  it('without another host is blocked, and pauses with doNotReschedule', () => {
    const alone = { target: undefined, places: {}, hasPeers: false };
    const h1 = host();
    h1.twin();
    expect(h1.look(alone)).toEqual([]);
    expect(h1.look(alone)).toEqual([]);
    expect(h1.reports).toEqual(['services assigned 0 0 noCapacity']);
    expect(h1.twin({ doNotReschedule: true })).toEqual([]);
    expect(h1.look(alone)).toEqual(['closed', 'pauseServices']);
    expect(h1.reports.at(-1)).toBe('done paused 0 0');
  });

  it('says when the other hosts are there and cannot be reached', () => {
    const h1 = host();
    h1.twin();
    h1.look({ target: undefined, places: {} });
    expect(h1.reports).toEqual(['services assigned 0 0 peerUnreachable']);
  });

  it('waits for the leader to place each service, without calling that blocked', () => {
    const h1 = host();
    h1.twin();
    h1.look({ places: {} });
    expect(h1.reports).toEqual(['services assigned 0 0']);
    h1.look({ places: { sip: 'h3' } });
    expect(h1.at()).toBe('services');
    expect(h1.reports.at(-1)).toBe('services moving h3 0 0');
    h1.look({ places: { sip: 'h3', media: 'h2' } });
    expect(h1.reports.at(-1)).toBe('done moved h3 0 0');
  });

  it('is blocked by one service that no host may take, and goes on when one may', () => {
    const h1 = host();
    h1.twin();
    expect(h1.look({ places: { sip: 'h2', media: null } })).toEqual([]);
    expect(h1.reports).toEqual(['services moving h2 0 0 noCapacity']);
    expect(h1.look()).toEqual(['closed', 'pauseServices']);
  });

  it('with doNotReschedule needs no place, and still gives the address away', () => {
    const h1 = host();
    h1.twin({ doNotReschedule: true });
    expect(h1.look({ places: {}, vip: 'h1' })).toEqual([]);
    expect(h1.look({ places: {}, vip: 'h2' })).toEqual(['closed', 'pauseServices']);
    expect(h1.reports.at(-1)).toBe('done paused 0 0');
  });

  it('takes alarms until a peer owns the address of the site', () => {
    const h1 = host();
    h1.twin();
    h1.look({ vip: 'h1' });
    expect(h1.at()).toBe('services');
    expect(h1.look({ vip: 'h2' })).toEqual(['closed', 'pauseServices']);
  });

  it('at its deadline goes on serving and says what it waits for', () => {
    const h1 = host();
    h1.twin({ deadline: 5_000 });
    h1.look(calls(1));
    expect(h1.look(calls(1), 5_000)).toEqual([]);
    expect(h1.reports.at(-1)).toBe('calls ready h2 1 0 callsLeft');
    h1.look(calls(0, 1));
    expect(h1.reports.at(-1)).toBe('calls ready h2 1 0 alarmCallsLeft');
    h1.look({ lanes: { alarm: 1, svc: 0 } });
    expect(h1.reports.at(-1)).toBe('flush ready h2 0 1 lanesLeft');
    expect(h1.look()).toEqual(['closed', 'pauseServices']);
  });

  it('with force ends ordinary calls at the deadline, once, and alarm calls never', () => {
    const h1 = host();
    h1.twin({ deadline: 5_000, force: true });
    expect(h1.look(calls(2, 1))).toEqual([]);
    expect(h1.look(calls(2, 1), 5_000)).toEqual(['endOrdinaryCalls']);
    expect(h1.look(calls(2, 1))).toEqual([]);
    expect(h1.look(calls(0, 1))).toEqual([]);
    expect(h1.at()).toBe('calls');
  });

  it('repeats numbers at most every ten seconds, and another drain starts from the first', () => {
    const h1 = host();
    h1.twin();
    for (let left = 30; left > 9; left--) h1.look(calls(left));
    expect(h1.reports).toEqual(['calls ready h2 30 0', 'calls ready h2 20 0', 'calls ready h2 10 0']);
    expect(h1.twin({ op: '01jc7z5t3k9q8w6m4n2p0r1s5w' })).toEqual(['cordoned']);
    expect(h1.at()).toBe('cordon');
  });
});
