import { describe, expect, it } from 'vitest';
import {
  type CallEffect,
  type CallInput,
  type CallSession,
  callSession,
  initial,
  type LegName,
  placing,
} from '#appliance/call/session/index.ts';

/** mulberry32: small, and the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The world around a machine: what became of each leg and timer it named. */
class World {
  state: CallSession;
  readonly open = new Set<LegName>();
  readonly ringing = new Set<LegName>();
  readonly timers = new Set<string>();
  /** Transfers that were accepted and whose end was not reported yet. */
  readonly transfers = new Set<LegName>();
  over = 0;
  #names = 0;
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seeded(seed);
    const setting = { keepsCaller: this.#random() < 0.5, endsSilent: this.#random() < 0.5 };
    if (seed % 4 === 0) {
      this.state = placing(setting);
      this.feed({ kind: 'dial', groups: [[this.#name(), this.#name()]] });
    } else {
      this.open.add('a');
      this.state = initial('a', setting);
    }
  }

  feed(input: CallInput): void {
    const { state, effects } = callSession.step(this.state, input);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: CallEffect): void {
    switch (effect.kind) {
      case 'dial':
        this.ringing.add(effect.leg);
        this.open.add(effect.leg);
        return;
      case 'end':
      case 'overdue':
      case 'refuse':
        expect(this.open.has(effect.leg), `${effect.kind} of ${effect.leg}, which is not open`).toBe(true);
        this.#close(effect.leg);
        return;
      case 'connect':
        for (const leg of [effect.a, effect.b])
          expect(this.open.has(leg), `${leg} is connected and not open`).toBe(true);
        return;
      case 'startTimer':
        this.timers.add(effect.timer);
        return;
      case 'stopTimer':
        this.timers.delete(effect.timer);
        return;
      case 'referAnswered':
        if (effect.status < 300) this.transfers.add(effect.leg);
        return;
      case 'referTold':
        if (effect.status >= 200) this.transfers.delete(effect.leg);
        return;
      case 'tell':
        if (effect.progress.kind === 'over') this.over++;
        return;
      default:
    }
  }

  #close(leg: LegName): void {
    this.open.delete(leg);
    this.ringing.delete(leg);
    this.transfers.delete(leg);
  }

  /** Something that can happen now: legs say only what legs in their state can say. */
  any(): void {
    const legs = [...this.open];
    const leg = legs[Math.floor(this.#random() * legs.length)] ?? 'a';
    const rings = this.ringing.has(leg);
    const pick = Math.floor(this.#random() * 18);
    const groups = () => [[this.#name(), this.#name()], [this.#name()]];
    if (rings && pick < 3)
      this.feed({ kind: 'progressed', leg, status: pick === 0 ? 183 : 180, early: pick === 0 });
    else if (rings && pick < 6) {
      this.ringing.delete(leg);
      this.feed({ kind: 'answered', leg });
    } else if (rings && pick < 10) {
      this.#close(leg);
      const status = [486, 503, 404, 603][pick - 6] ?? 480;
      this.feed({ kind: 'failed', leg, status, text: `said ${status}`, another: pick < 8 });
    } else if (pick < 4) this.feed({ kind: 'dial', groups: groups() });
    else if (pick === 4) this.feed({ kind: 'attend' });
    else if (pick === 5) this.feed({ kind: 'held', leg, direction: 'recvonly' });
    else if (pick === 6) this.feed({ kind: 'refer', leg, groups: this.#random() < 0.2 ? [] : groups() });
    else if (pick === 7 && !rings) {
      this.#close(leg);
      this.feed({ kind: 'ended', leg, cause: leg === 'a' ? 'cancelled' : 'remote' });
    } else if (pick === 8) {
      for (const timer of this.timers) {
        this.timers.delete(timer);
        this.feed({ kind: 'timer', timer: timer as 'ring' });
        break;
      }
    } else if (pick === 9) {
      const chance = this.#random();
      if (chance < 0.3) this.feed({ kind: 'heard', leg });
      else if (chance < 0.4) this.feed({ kind: 'unanswered', leg, isAble: chance < 0.35 });
      else if (chance < 0.6) this.feed({ kind: 'silent', leg, hadAudio: chance < 0.5, aliveBy: 'reports' });
      else this.feed({ kind: 'silent', leg, hadAudio: chance < 0.8 });
    } else if (pick === 10) this.feed({ kind: 'broken', leg, status: 500, text: 'no audio' });
    else if (pick === 11) {
      const taken = this.#name();
      this.open.add(taken);
      this.feed({ kind: 'take', leg, taken });
    } else if (pick === 12) this.feed({ kind: 'acknowledged', leg });
    else if (pick === 13) this.#replace(leg);
    else if (pick === 14) this.#inherit(leg);
    else if (pick === 15 && !rings) {
      const { party, peer } = this.state;
      if (leg === party || leg === peer) this.#close(leg);
      this.feed({ kind: 'give', leg });
    } else if (pick === 16) this.#bequeath();
    else this.feed({ kind: 'digit', leg, digit: '1', durationMs: 80 });
  }

  /** A caller of its own takes the place of this leg. */
  #replace(replaced: LegName): void {
    const leg = this.#name();
    this.open.add(leg);
    this.feed({ kind: 'replace', leg, replaced });
  }

  /** The callees of another call ring for this one. */
  #inherit(leg: LegName): void {
    const ringing = [this.#name(), this.#name()];
    for (const each of ringing) {
      this.open.add(each);
      this.ringing.add(each);
    }
    this.feed({ kind: 'inherit', leg, ringing });
  }

  /** The callees of this call ring for another one. */
  #bequeath(): void {
    if (this.state.phase === 'Dialling') for (const leg of this.ringing) this.#close(leg);
    this.feed({ kind: 'bequeath' });
  }

  #name(): LegName {
    return `leg ${++this.#names}`;
  }
}

const SEEDS = Array.from({ length: 300 }, (_, index) => index + 1);

describe('a call to which anything happens in any order', () => {
  it.each(SEEDS)('seed %i: ends once, and leaves no leg, timer or transfer behind', (seed) => {
    const world = new World(seed);
    for (let count = 0; count < 60 && world.over === 0; count++) {
      world.any();
      const { party, peer, ringing, phase }: CallSession = world.state;
      if (phase === 'Ended') break;
      // The state of the machine is the real one.
      const legs = [party, ...(peer === undefined ? [] : [peer]), ...ringing];
      expect(legs.filter((leg) => leg !== '').sort()).toEqual([...world.open].sort());
      expect(phase === 'Talking').toBe(peer !== undefined);
      expect(world.timers.has('ring')).toBe(ringing.length > 0);
      // A caller that waits may be refused by its leg alone, without an end that stops timers.
      if (phase === 'Arrived') expect([...world.timers]).toEqual([]);
    }
    if (world.state.phase !== 'Ended') world.feed({ kind: 'hangUp' });
    expect(world.state.phase).toBe('Ended');
    expect([...world.open]).toEqual([]);
    expect([...world.timers]).toEqual([]);
    expect([...world.transfers]).toEqual([]);
    expect(world.over).toBe(1);
  });
});
