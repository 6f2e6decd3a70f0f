import { expect, it } from 'vitest';
import { type QueueEvent, ServiceQueues } from '#appliance/call/media-service/service-queues.ts';
import { queueInSession, wiringOf } from '#appliance/call/media-session/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { World } from './random-world.ts';

/*
 * A session whose commands let callers wait for agents and speak, with the queues of the host behind it: whatever happens, no agent is
 * called for a caller that has left, and no caller, agent or utterance is left behind.
 */

const DONE = [{ reason: 'recognised', text: 'yes' }, { reason: 'noMatch' }, { reason: 'error', error: 'x' }];

class QueueWorld extends World {
  dueMs: number | undefined;
  #fire: () => void = () => undefined;
  /** Inputs that queues bring about: they come when the one before is done. */
  readonly #later: QueueEvent[] = [];
  #busy = false;
  readonly queues = new ServiceQueues<this>(
    {
      clock: { monoMs: () => this.atMs, wallMs: () => this.atMs },
      timers: {
        scope: (fire) => {
          this.#fire = () => fire('queues', 'queue' as never, this.atMs);
          return {
            start: (_owner, _timer, dueMs) => {
              this.dueMs = dueMs;
            },
            stop: () => {
              this.dueMs = undefined;
            },
            stopAll: () => undefined,
          };
        },
      },
    },
    { turn: (work) => work(), tell: (_, event) => this.#later.push(event) },
  );

  override input(input: Record<string, unknown>): void {
    const outer = !this.#busy;
    this.#busy = true;
    super.input(input);
    const failed = input.kind === 'failed' ? (input as { participant: string; status: number }) : undefined;
    this.queues.follow(this, 'service', queueInSession(this.session), failed);
    if (!outer) return;
    this.#busy = false;
    for (let next = this.#later.shift(); next !== undefined; next = this.#later.shift()) this.input(next);
  }

  override isQueued(queueing: string): boolean {
    return queueing === 'queued';
  }

  override decision(): unknown {
    return this.random() < 0.6 ? { action: 'ivr' } : super.decision();
  }

  override command(): unknown {
    const dtmf = this.random() < 0.5 ? { dtmf: { maxDigits: 2 } } : {};
    const enqueue = { queue: 'a', agents: ['x', 'y'], wrapUpTime: 1, maxWait: 20, retryTime: 5 };
    const roll = this.random();
    if (roll < 0.4) return { enqueue, ...dtmf };
    return roll < 0.6 ? { speech: { bargeIn: this.random() < 0.5 }, ...dtmf } : super.command();
  }

  override walk(): void {
    if (this.dueMs !== undefined && this.dueMs <= this.atMs) {
      this.#busy = false;
      this.#fire();
      this.input({ kind: 'unmoved', participant: 'none', refusal: {} });
    }
    const rung = this.pick(queueInSession(this.session).agents.filter(({ talking }) => !talking));
    if (rung !== undefined && this.random() < 0.3) {
      this.legs.set(rung.participant, 'up');
      this.input({ kind: 'answered', participant: rung.participant });
      return;
    }
    const hearing = this.pick(wiringOf(this.session).hearings)?.id;
    if (hearing === undefined || this.random() < 0.7) super.walk();
    else if (this.random() < 0.5) this.input({ kind: 'speechBegan', hearing });
    else this.input({ kind: 'speechEnded', hearing, speech: this.pick(DONE) });
  }
}

const SESSIONS = rounds(1_000, 3_000);

it('queues and speech in a session whose world does anything: nothing is left behind', () => {
  let served = 0;
  for (let seed = 1; seed <= SESSIONS; seed++) {
    const world = new QueueWorld(seed).begin();
    for (let turn = 0; turn < 160 && !world.session.ended; turn++) world.walk();
    if (!world.session.ended) world.hangUp();
    expect(world.session.ended, `seed ${seed}`).toBe(true);
    expect(world.completed).toBe(1);
    expect(world.expected.length + world.cleared, `seed ${seed}: digits`).toBe(world.pressed.length);
    expect(queueInSession(world.session)).toEqual({ callers: [], agents: [] });
    expect(wiringOf(world.session).hearings).toEqual([]);
    for (const { waiting, entered, answered, abandoned, overflowed, agents } of world.queues.figures()) {
      expect(waiting).toBe(0);
      expect(answered + abandoned + overflowed, `seed ${seed}: each caller has one end`).toBe(entered);
      served += answered;
      for (const { state } of agents) expect(['ringing', 'talking']).not.toContain(state);
    }
  }
  expect(served).toBeGreaterThan(SESSIONS / 10);
});
