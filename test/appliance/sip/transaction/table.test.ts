import { describe, expect, it } from 'vitest';
import {
  inviteClient,
  inviteServer,
  nonInviteClient,
  nonInviteServer,
} from '#appliance/sip/transaction/index.ts';
import type { Effect, Step } from '#appliance/sip/transaction/machine.ts';

/** One row as a person writes it: `state, input -> state: effects`. */
const spell = (effect: Effect): string => {
  if (effect.kind === 'start')
    return effect.length === 'initial' ? `+${effect.timer}` : `+${effect.timer}(${effect.length})`;
  if (effect.kind === 'stop') return `-${effect.timer}`;
  return effect.kind === 'fail' ? `fail(${effect.cause})` : effect.kind;
};

const rows = (table: Readonly<Record<string, Readonly<Record<string, Step<string>>>>>): string[] =>
  Object.entries(table).flatMap(([state, inputs]) =>
    Object.entries(inputs)
      .filter(([, step]) => step.ignored === undefined)
      .map(([input, step]) =>
        `${state}, ${input} -> ${step.state}: ${step.effects.map(spell).join(' ')}`.trim(),
      ),
  );

/** Rows of the standards' figures, each arrow once; everything that is not here must be ignored with a reason. */
const FIGURES = {
  'non-INVITE server, RFC 3261 figure 8': {
    machine: nonInviteServer,
    initial: 'Trying: deliver',
    arrows: [
      'Trying, 1xx -> Proceeding: send',
      'Trying, 200-699 -> Completed: send +J',
      'Proceeding, request -> Proceeding: repeat',
      'Proceeding, 1xx -> Proceeding: send',
      'Proceeding, 200-699 -> Completed: send +J',
      'Proceeding, transport error -> Terminated: fail(transport)',
      'Completed, request -> Completed: repeat',
      'Completed, timer J -> Terminated:',
      'Completed, transport error -> Terminated: fail(transport)',
    ],
  },
  'non-INVITE client, RFC 3261 figure 6': {
    machine: nonInviteClient,
    initial: 'Trying: +F +E send',
    arrows: [
      'Trying, 1xx -> Proceeding: deliver',
      'Trying, 200-699 -> Completed: -E -F +K deliver',
      'Trying, timer E -> Trying: repeat +E(capped)',
      'Trying, timer F -> Terminated: fail(timeout)',
      'Trying, transport error -> Terminated: fail(transport)',
      'Proceeding, 1xx -> Proceeding: deliver',
      'Proceeding, 200-699 -> Completed: -E -F +K deliver',
      'Proceeding, timer E -> Proceeding: repeat +E(T2)',
      'Proceeding, timer F -> Terminated: fail(timeout)',
      'Proceeding, transport error -> Terminated: fail(transport)',
      'Completed, timer K -> Terminated:',
    ],
  },
  'INVITE server, RFC 6026 figure 5': {
    machine: inviteServer,
    initial: 'Proceeding: deliver',
    arrows: [
      'Proceeding, request -> Proceeding: repeat',
      'Proceeding, 1xx -> Proceeding: send',
      'Proceeding, 2xx -> Accepted: send +L',
      'Proceeding, 300-699 -> Completed: send +H +G',
      'Proceeding, transport error -> Proceeding: fail(transport)',
      'Completed, request -> Completed: repeat',
      'Completed, ACK -> Confirmed: -G -H +I',
      'Completed, timer G -> Completed: repeat +G(capped)',
      'Completed, timer H -> Terminated: fail(timeout)',
      'Completed, transport error -> Completed: fail(transport)',
      'Confirmed, timer I -> Terminated:',
      'Accepted, ACK -> Accepted: deliver',
      'Accepted, 2xx -> Accepted: send',
      'Accepted, timer L -> Terminated:',
      'Accepted, transport error -> Accepted: fail(transport)',
    ],
  },
  'INVITE client, RFC 6026 figure 6 and RFC 3261 9.1': {
    machine: inviteClient,
    initial: 'Calling: +B +A send',
    arrows: [
      'Calling, 1xx -> Proceeding: -A -B deliver',
      'Calling, 2xx -> Accepted: -A -B +M deliver',
      'Calling, 300-699 -> Completed: -A -B acknowledge +D deliver',
      'Calling, timer A -> Calling: repeat +A(doubled)',
      'Calling, timer B -> Terminated: fail(timeout)',
      'Calling, transport error -> Terminated: fail(transport)',
      'Proceeding, 1xx -> Proceeding: deliver',
      'Proceeding, 2xx -> Accepted: -B +M deliver',
      'Proceeding, 300-699 -> Completed: -B acknowledge +D deliver',
      'Proceeding, cancel -> Proceeding: cancel +B',
      'Proceeding, timer B -> Terminated: fail(timeout)',
      'Proceeding, transport error -> Terminated: fail(transport)',
      'Completed, 300-699 -> Completed: repeat',
      'Completed, timer D -> Terminated:',
      'Completed, transport error -> Terminated:',
      'Accepted, 2xx -> Accepted: deliver',
      'Accepted, timer M -> Terminated:',
    ],
  },
};

describe.each(Object.entries(FIGURES))('%s', (_, { machine, initial, arrows }) => {
  it('begins as drawn', () => {
    expect(`${machine.initial.state}: ${machine.initial.effects.map(spell).join(' ')}`).toBe(initial);
  });

  it('has each arrow of the figure and no other', () => {
    expect(rows(machine.table)).toEqual(arrows);
  });

  it('answers every input in every state, staying put with a reason where nothing happens', () => {
    const states = Object.keys(machine.table);
    const inputs = new Set(Object.values(machine.table).flatMap((row) => Object.keys(row)));
    for (const [state, row] of Object.entries(machine.table)) {
      expect(new Set(Object.keys(row))).toEqual(inputs);
      for (const step of Object.values(row) as Step<string>[]) {
        expect(states).toContain(step.state);
        if (step.ignored === undefined) continue;
        expect(step).toMatchObject({ state, effects: [] });
        expect(step.ignored.length).toBeGreaterThan(10);
      }
    }
  });
});
