import { describe, expect, test } from 'vitest';
import {
  initialRegistration,
  type RegistrationInput,
  stepRegistration,
  type TrunkRegistration,
} from '#appliance/sip/trunk/index.ts';

const DUE = { kind: 'due' } as const;
const OK = { kind: 'answered', status: 200, granted: 3_600 } as const;
const CHALLENGE = { kind: 'answered', status: 401, answerable: true } as const;

function reported(
  inputs: readonly RegistrationInput[],
  random = 1,
  from: TrunkRegistration = initialRegistration,
) {
  let state = from;
  const line: string[] = [];
  for (const input of inputs) {
    const step = stepRegistration(state, input, () => random);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.kind === 'sendRegister')
        line.push(
          `REGISTER ${effect.cseq} expires ${effect.expires}${effect.withCredentials ? ' with credentials' : ''}`,
        );
      else if (effect.kind === 'start') line.push(`again in ${effect.afterMs / 1_000} s`);
      else if (effect.kind === 'refused') line.push(`refused: ${effect.reason}`);
      else line.push(effect.kind);
    }
  }
  return { state, line };
}

describe('a registration', () => {
  test('answers the challenge and refreshes a minute before its end', () => {
    expect(reported([DUE, CHALLENGE, OK, DUE]).line).toEqual([
      'REGISTER 1 expires 3600',
      'REGISTER 2 expires 3600 with credentials',
      'again in 3540 s',
      'registered',
      'REGISTER 3 expires 3600',
    ]);
  });

  test('is refreshed at the half of a short time', () => {
    expect(reported([DUE, { kind: 'answered', status: 200, granted: 60 }]).line).toContain('again in 30 s');
  });

  test('that is challenged again has a wrong password, reported once', () => {
    expect(
      reported([DUE, CHALLENGE, CHALLENGE, DUE, CHALLENGE, CHALLENGE]).line.filter((line) =>
        line.startsWith('refused'),
      ),
    ).toEqual(['refused: the host refuses username and password']);
  });

  test('that is asked for what we do not speak says so', () => {
    expect(reported([DUE, { ...CHALLENGE, answerable: false }]).line.at(-1)).toMatch(/not spoken here/);
  });

  test('takes the Min-Expires of a 423 once, within reason', () => {
    const brief = (minExpires: number) => ({ kind: 'answered', status: 423, minExpires }) as const;
    expect(reported([DUE, brief(7_200), OK]).line).toContain('REGISTER 2 expires 7200');
    expect(reported([DUE, brief(7_200), brief(7_200)]).state.phase).toBe('failed');
    expect(reported([DUE, brief(10_000_000)]).state.phase).toBe('failed');
  });

  test('backs off: 30 s doubled, at most half an hour, half of it at random', () => {
    const failing: RegistrationInput[] = Array.from({ length: 8 }, () => [
      DUE,
      { kind: 'failed' } as const,
    ]).flat();
    const waits = (random: number) =>
      reported(failing, random).line.flatMap((line) => (line.startsWith('again') ? [line] : []));
    expect(waits(1)).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800].map((s) => `again in ${s} s`));
    expect(waits(0)).toEqual([15, 30, 60, 120, 240, 480, 900, 900].map((s) => `again in ${s} s`));
  });

  test('starts from the shortest wait after it succeeded', () => {
    const { line } = reported([
      DUE,
      { kind: 'failed' },
      DUE,
      { kind: 'failed' },
      DUE,
      OK,
      DUE,
      { kind: 'failed' },
    ]);
    expect(line.filter((each) => each.startsWith('again'))).toEqual([
      'again in 30 s',
      'again in 60 s',
      'again in 3540 s',
      'again in 30 s',
    ]);
  });

  test('is given back, with credentials where they are asked for, and ends whatever is answered', () => {
    expect(
      reported([DUE, OK, { kind: 'stop' }, CHALLENGE, { kind: 'answered', status: 200 }, DUE]).line.slice(3),
    ).toEqual(['stop', 'REGISTER 2 expires 0', 'REGISTER 3 expires 0 with credentials']);
  });

  test('that never was needs no giving back', () => {
    expect(reported([{ kind: 'stop' }, DUE]).line).toEqual(['stop']);
  });

  test('every input is legal in every phase', () => {
    const inputs: RegistrationInput[] = [
      DUE,
      OK,
      CHALLENGE,
      { kind: 'answered', status: 500 },
      { kind: 'failed' },
      { kind: 'stop' },
    ];
    for (const phase of ['idle', 'registering', 'registered', 'failed', 'leaving'] as const) {
      for (const input of inputs) {
        const { state } = reported([input], 1, { ...initialRegistration, phase });
        if (phase === 'leaving') expect(state.phase).toBe('leaving');
        if (phase !== 'registering' && (input.kind === 'answered' || input.kind === 'failed'))
          expect(state.phase).toBe(phase);
      }
    }
  });
});
