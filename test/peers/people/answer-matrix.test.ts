import { beforeAll, describe, expect, it } from 'vitest';
import { answersCall, type Ending, type Party } from './support/answering-party.ts';
import { PEOPLE, parties, ROWS, type Row, VOICES, type VoiceKind } from './support/party-sounds.ts';

/*
 * Those who answer a call of an emergency list: people, machines and tones of a network, by `key` and by `answer`. The limits of
 * the detector were chosen on espeak-ng; the recorded voices were held out.
 */

/** Machines that may have the alarm in the end, by `answer`. */
const MOST_TAKEN = 0.05;

interface Cell {
  readonly row: Row;
  readonly accept: 'key' | 'answer';
  readonly endings: readonly Ending[];
}

const cells = new Map<VoiceKind, readonly Cell[]>();

function cellsOf(kind: VoiceKind): Cell[] {
  const made: Cell[] = [];
  for (const row of ROWS) {
    const all: readonly Party[] = parties(kind, row);
    for (const accept of ['key', 'answer'] as const)
      made.push({ row, accept, endings: all.map((party) => answersCall(party, accept)) });
  }
  return made;
}

const sum = (endings: readonly Ending[], what: (ending: Ending) => boolean): number =>
  endings.filter(what).length;

function line({ row, accept, endings }: Cell): string {
  const columns = [
    sum(endings, ({ hasAlarm }) => hasAlarm),
    sum(endings, ({ isAsked }) => isAsked),
    sum(endings, ({ isDropped }) => isDropped),
    sum(endings, ({ nextMs = 20_000 }) => nextMs < 20_000),
  ];
  return [
    row.padEnd(28),
    accept.padEnd(7),
    ...[endings.length, ...columns].map((each) => `${each}`.padStart(6)),
  ].join(' ');
}

const HEAD = `${'row'.padEnd(28)} accept  calls  alarm  asked  ended   next`;

beforeAll(() => {
  for (const kind of VOICES) cells.set(kind, cellsOf(kind));
  for (const [kind, made] of cells)
    process.stdout.write(`${[`\n${kind}`, HEAD, ...made.map(line)].join('\n')}\n`);
}, 600_000);

describe.each(VOICES)('%s', (kind) => {
  const of = (accept: 'key' | 'answer', isPerson: boolean): Ending[] =>
    (cells.get(kind) ?? [])
      .filter((cell) => cell.accept === accept && PEOPLE.includes(cell.row) === isPerson)
      .flatMap(({ endings }) => endings);

  it.each(['key', 'answer'] as const)('no person is dropped, and each has the alarm (%s)', (accept) => {
    const people = of(accept, true);
    expect(people.length).toBeGreaterThan(20);
    expect(people.filter(({ isDropped }) => isDropped)).toEqual([]);
    expect(people.filter(({ hasAlarm }) => !hasAlarm)).toEqual([]);
  });

  it('no machine has the alarm by the key', () => {
    const machines = of('key', false);
    expect(machines.length).toBeGreaterThan(20);
    expect(machines.filter(({ hasAlarm }) => hasAlarm)).toEqual([]);
  });

  it('at most one machine in twenty has the alarm by its answer', () => {
    const machines = of('answer', false);
    expect(sum(machines, ({ hasAlarm }) => hasAlarm) / machines.length).toBeLessThanOrEqual(MOST_TAKEN);
  });
});
