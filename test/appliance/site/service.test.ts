import { describe, expect, it } from 'vitest';
import {
  type ServiceEffect,
  type ServiceInput,
  type ServiceState,
  serviceWord,
  stepService,
  stoppedService,
} from '#appliance/site/index.ts';

/** A service that gets each event from the test, on a clock of its own. */
function service() {
  let state: ServiceState = stoppedService;
  let nowMs = 0;
  const reported: string[] = [];
  const act = (input: ServiceInput): readonly ServiceEffect[] => {
    const step = stepService(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.kind === 'raise' || effect.kind === 'clear') reported.push(`${effect.kind} ${effect.fault}`);
    }
    return step.effects;
  };
  return {
    told: reported,
    at: () => state.at,
    word: () => serviceWord(state),
    after: (ms: number) => {
      nowMs += ms;
    },
    start: () => act({ kind: 'start', atMs: nowMs }),
    started: () => act({ kind: 'started', atMs: nowMs }),
    failed: () => act({ kind: 'startFailed', reason: 'the port is taken', atMs: nowMs }),
    exited: () => act({ kind: 'exited', reason: 'it ended', atMs: nowMs }),
    due: () => act({ kind: 'due', atMs: nowMs }),
    probed: (fault?: string) => act({ kind: 'probed', fault, atMs: nowMs }),
    pause: () => act({ kind: 'pause' }),
  };
}

const timer = (effects: readonly ServiceEffect[]): number | undefined =>
  effects.find((effect) => effect.kind === 'startTimer')?.delayMs;

describe('a service of a host', () => {
  it('is looked at every ten seconds', () => {
    const sip = service();
    expect(sip.start()).toContainEqual({ kind: 'start' });
    expect(timer(sip.started())).toBe(10_000);
    sip.after(10_000);
    expect(sip.due()).toEqual([{ kind: 'probe' }]);
    expect(timer(sip.probed())).toBe(10_000);
    expect(sip.word()).toBe('ok');
  });

  it('that does not start is tried again with back-off, and said after three times in five minutes', () => {
    const sip = service();
    sip.start();
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map(() => {
      const waitMs = timer(sip.failed()) ?? 0;
      sip.after(waitMs);
      sip.due();
      return waitMs / 1_000;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(sip.told).toEqual(['raise serviceStartFailed']);
    sip.started();
    for (let s = 0; s < 60; s += 10) {
      expect(sip.told).toHaveLength(1);
      sip.after(10_000);
      sip.probed();
    }
    expect(sip.told).toEqual(['raise serviceStartFailed', 'clear serviceStartFailed']);
  });

  it('is no alarm when its starts fail now and then', () => {
    const sip = service();
    for (let day = 0; day < 5; day++) {
      sip.start();
      sip.failed();
      sip.due();
      sip.started();
      sip.after(150_001);
      sip.pause();
    }
    expect(sip.told).toEqual([]);
  });

  it('that starts for longer than a minute is said, and may still come up', () => {
    const sip = service();
    sip.start();
    sip.after(60_000);
    sip.due();
    expect(sip.told).toEqual(['raise serviceStartFailed']);
    sip.started();
    expect(sip.at()).toBe('up');
  });

  it('is started again after three failed probes in a row, not after two', () => {
    const sip = service();
    sip.start();
    sip.started();
    for (const fault of ['mute', 'mute', undefined, 'mute', 'mute']) sip.probed(fault);
    expect(sip.word()).toBe('sick');
    expect(sip.told).toEqual([]);
    expect(sip.probed('mute')).toContainEqual({ kind: 'stop' });
    expect(sip.told).toEqual(['raise serviceFailure']);
    expect(sip.due()).toContainEqual({ kind: 'start' });
  });

  it('that exits is a failure at once, and one alarm however often it exits', () => {
    const sip = service();
    sip.start();
    for (let times = 0; times < 5; times++) {
      sip.started();
      sip.exited();
      sip.due();
    }
    expect(sip.told).toEqual(['raise serviceFailure']);
  });

  it('that was paused is silent, and what was raised is over', () => {
    const sip = service();
    sip.start();
    sip.started();
    sip.exited();
    sip.pause();
    expect(sip.told).toEqual(['raise serviceFailure', 'clear serviceFailure']);
    expect(sip.due()).toEqual([]);
    expect(sip.word()).toBe('paused');
  });
});
