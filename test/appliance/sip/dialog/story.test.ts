import { describe, expect, it } from 'vitest';
import { rounds } from '#test/support/vitest/rounds.ts';
import type { Call } from './phone.ts';
import { pair, Wire } from './wire.ts';

/*
 * Two phones, a wire that loses, doubles and reorders, and people who press keys at random. In every story, at
 * the end both sides are in the same state and believe in the same descriptions.
 */
const STORIES = rounds(100, 300);

interface Outcome {
  readonly wire: Wire;
  readonly keys: string[];
}

function story(seed: number, loss: number): Outcome {
  const wire = new Wire(seed, {
    loss,
    doubled: 0.1,
    delayMs: 300,
    a: { reliableProvisional: seed % 2 === 0, timer: { expiresS: 90, minSeS: 90 } },
    b: { reliableProvisional: seed % 3 === 0, timer: { expiresS: 120, minSeS: 90 } },
  });
  const keys: string[] = [];
  const { random } = wire;
  const chance = (probability: number): boolean => random() < probability;
  wire.b.onIncoming = (call) => {
    const late = call.session.pendingInvite?.asked === true;
    if (chance(0.3)) call.ring(180);
    if (!late && chance(0.3)) call.ring(183, true);
    if (chance(0.5)) call.accept();
  };
  wire.a.dial('b', chance(0.3));
  for (let beat = 0; beat < 40; beat++) {
    wire.pass(Math.floor(random() * 2_000));
    const side = chance(0.5) ? wire.a : wire.b;
    const call = side.calls[0];
    if (call === undefined || !call.alive) continue;
    const key = press(call, random());
    if (key !== '') keys.push(`${wire.nowMs} ${side.name} ${key}`);
  }
  if (chance(0.1)) {
    keys.push('cancel');
    wire.a.cancel();
  }
  return { wire, keys };
}

function press(call: Call, at: number): string {
  const { phase, pendingInvite } = call.session;
  if (phase === 'EarlyIn' && pendingInvite !== undefined && at < 0.2) {
    call.accept();
    return 'accept';
  }
  if (at < 0.3) call.change('INVITE');
  else if (at < 0.45) call.change('UPDATE');
  else if (at < 0.5) call.change('INVITE', false);
  else if (at < 0.55) call.change('UPDATE', false);
  else if (at < 0.65) call.input({ kind: 'send', method: 'INFO', id: 'x', content: {} });
  else if (at > 0.99) {
    call.end();
    return 'end';
  } else return '';
  return 'change or INFO';
}

/** Lets the wire heal and everything under way come to its end. */
function settle(wire: Wire): void {
  wire.loss = 0;
  wire.pass(80_000);
}

describe.each([
  ['a perfect wire', 0, 1],
  ['10 % loss', 0.1, 10_000],
  ['30 % loss', 0.3, 20_000],
])('%s', (_, loss, first) => {
  it(`leaves both sides in the same state (${STORIES} stories)`, () => {
    const outcome: Record<string, number> = {};
    for (let seed = first; seed < first + STORIES; seed++) {
      const { wire, keys } = story(seed, loss);
      settle(wire);
      const reported = `seed ${seed}\n${keys.join('\n')}\n${wire.sent.join('\n')}`;
      expect([wire.a.defects, wire.b.defects], reported).toEqual([[], []]);
      if (wire.a.calls.length === 0 || wire.b.calls.length === 0) {
        outcome.nobody = (outcome.nobody ?? 0) + 1;
        continue;
      }
      const [a, b] = pair(wire);
      const phases = [a.session.phase, b.session.phase];
      outcome[phases.join()] = (outcome[phases.join()] ?? 0) + 1;
      if (wire.a.invitation?.phase === 'Proceeding')
        expect(phases, reported).toEqual(['EarlyOut', 'EarlyIn']);
      else if (phases[0] === 'Confirmed') {
        expect(phases, reported).toEqual(['Confirmed', 'Confirmed']);
        expect(a.agreed, reported).toBe(b.agreed);
        expect([a.session.exchange.state, b.session.exchange.state], reported).toEqual(['Stable', 'Stable']);
        expect(
          [a, b].map(({ session }) => session.unacknowledged),
          reported,
        ).toEqual([undefined, undefined]);
        expect(
          [a, b].map(({ session }) => session.pendingInvite),
          reported,
        ).toEqual([undefined, undefined]);
      } else expect(phases[1], reported).toBe('Ended');
      // No call is lost where nothing is lost, but by a request that crossed the BYE of the other side.
      const causes = [a.ended, b.ended].map((cause) => cause ?? 'none');
      if (loss === 0 && causes.includes('lost')) expect(causes, reported).toContain('local');
      if (loss === 0) for (const cause of ['noAck', 'expired']) expect(causes, reported).not.toContain(cause);
      for (const call of [a, b]) if (call.session.phase === 'Confirmed') call.end();
      settle(wire);
      const end = [a, b].map(({ session }) => session.phase);
      expect(
        end.filter((phase) => phase === 'Confirmed' || phase === 'Ending'),
        reported,
      ).toEqual([]);
    }
    expect(outcome['Confirmed,Confirmed'] ?? 0).toBeGreaterThan(STORIES / 10);
  });
});
