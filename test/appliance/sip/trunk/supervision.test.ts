import { describe, expect, test } from 'vitest';
import {
  DEFAULT_SUPERVISION,
  initialSupervision,
  type SupervisionInput,
  type SupervisionState,
  superviseHost,
} from '#appliance/sip/trunk/index.ts';

const rules = { ...DEFAULT_SUPERVISION, intervalMs: 60_000 };

function reported(inputs: readonly SupervisionInput['kind'][], from: SupervisionState = initialSupervision) {
  let state = from;
  const line: string[] = [];
  for (const kind of inputs) {
    const step = superviseHost(state, { kind }, rules);
    state = step.state;
    for (const effect of step.effects)
      line.push(
        effect.kind === 'start'
          ? `${effect.timer} ${effect.afterMs}`
          : effect.kind === 'stop'
            ? `stop ${effect.timer}`
            : effect.kind,
      );
  }
  return { state, line };
}

const PROBE = ['patience 8000', 'sendOptions'];

describe('the whole table', () => {
  const standings = ['unknown', 'up', 'down'] as const;
  test.each(standings)('%s: a probe that is due is sent', (standing) => {
    expect(reported(['probeDue'], { standing, failures: 0, probing: false })).toEqual({
      state: { standing, failures: 0, probing: true },
      line: PROBE,
    });
  });
  test.each(standings)('%s: a probe in progress is not doubled', (standing) => {
    expect(reported(['probeDue'], { standing, failures: 0, probing: true }).line).toEqual([]);
  });
  test.each(standings)('%s: what belongs to no probe is ignored', (standing) => {
    const state = { standing, failures: 1, probing: false };
    expect(reported(['answered', 'failed'], state)).toEqual({ state, line: [] });
  });
  test.each(standings)('%s: an answer is life', (standing) => {
    expect(reported(['answered'], { standing, failures: 2, probing: true })).toEqual({
      state: { standing: 'up', failures: 0, probing: false },
      line: ['stop patience', 'probe 60000', ...(standing === 'down' ? ['up'] : [])],
    });
  });
  test.each(standings)('%s: a failure', (standing) => {
    const { state, line } = reported(['failed'], { standing, failures: 0, probing: true });
    expect(state).toEqual({ standing, failures: 1, probing: false });
    expect(line).toEqual(['stop patience', standing === 'down' ? 'probe 60000' : 'probe 5000']);
  });
});

describe('a story', () => {
  test('down after three failures in a row, reported once; up with the first answer', () => {
    const miss = ['probeDue', 'failed'] as const;
    const hit = ['probeDue', 'answered'] as const;
    const { state, line } = reported([...hit, ...miss, ...miss, ...miss, ...miss, ...hit, ...hit]);
    expect(state.standing).toBe('up');
    expect(line.filter((each) => each === 'down' || each === 'up')).toEqual(['down', 'up']);
  });
  test('failures that are not in a row are none', () => {
    const { line } = reported([
      ...(['probeDue', 'failed', 'probeDue', 'failed', 'probeDue', 'answered'] as const),
      ...(['probeDue', 'failed', 'probeDue', 'failed'] as const),
    ]);
    expect(line).not.toContain('down');
  });
});
