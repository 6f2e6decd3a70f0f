import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  ambiguous,
  type LoggedEvent,
  logDocument,
  logEventsIn,
  logEventsOf,
  unadvised,
} from '#installer/build/log-event-list.ts';
import { ROOT } from './repository.ts';
import { lines } from './source.ts';

const { events, faults } = logEventsOf(ROOT);

describe('the log calls of the programs', () => {
  it('have an event, one fixed sentence for each event, and advice for every warning and error', () => {
    expect(new Set(events.map(({ event }) => event)).size).toBeGreaterThan(140);
    expect(lines(faults)).toEqual([]);
  });

  it('are listed in docs/logging.md; `npm run docs:log` writes the list', () => {
    const text = readFileSync(join(ROOT, 'docs/logging.md'), 'utf8');
    expect(text).toBe(logDocument(text, events));
  });
});

const PATH = 'appliance/call/leg.ts';
const found = (text: string) => logEventsIn(PATH, text);
const faultsOf = (text: string): string[] => found(text).faults.map(({ fault }) => fault);

describe('a log call', () => {
  it.each([
    ['a plain one', "log('warn', 'leg.lost', 'Lost a leg', { leg });", [['warn', 'leg.lost', 'Lost a leg']]],
    [
      'a member',
      "this.#ports.log('info', 'leg.opened', 'Opened a leg');",
      [['info', 'leg.opened', 'Opened a leg']],
    ],
    [
      'a choice',
      "log(on ? 'warn' : 'info', on ? 'leg.lost' : 'leg.back', on ? 'Lost a leg' : 'Opened a leg');",
      [
        ['warn', 'leg.lost', 'Lost a leg'],
        ['info', 'leg.back', 'Opened a leg'],
      ],
    ],
    [
      'a choice of the level alone',
      "log(on ? 'error' : 'debug', 'leg.lost', 'Lost a leg');",
      [
        ['error', 'leg.lost', 'Lost a leg'],
        ['debug', 'leg.lost', 'Lost a leg'],
      ],
    ],
    [
      'a row of a table, which a call takes its event from',
      "const a = { level: 'warn', event: 'leg.lost', message: 'Lost a leg' }; log(level, event, message);",
      [['warn', 'leg.lost', 'Lost a leg']],
    ],
  ])('is read: %s', (_, text, expected) => {
    expect(faultsOf(text)).toEqual([]);
    expect(found(text).events.map(({ level, event, message }) => [level, event, message])).toEqual(expected);
  });

  it.each([
    ['without an event', "log('warn', 'the leg was lost', { leg });", 'the leg was lost is no event'],
    ['with a computed event', "log('warn', 'leg.' + kind, 'Lost a leg');", 'a log call is no event'],
    ['with an event of another form', "log('warn', 'leg.wasLost', 'Lost a leg');", 'leg.wasLost is no event'],
    [
      'with a computed sentence',
      "ports.log('warn', 'leg.lost', 'Lost ' + leg);",
      'leg.lost has no message that is a fixed sentence without a full stop',
    ],
    [
      'with a sentence that begins small',
      "log('warn', 'leg.lost', 'lost a leg');",
      'leg.lost has no message that is a fixed sentence without a full stop',
    ],
    [
      'whose event comes from elsewhere',
      'log(level, event, text);',
      'a log call takes its event from elsewhere',
    ],
  ])('%s is refused', (_, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('is no logarithm, and no reading of a log', () => {
    expect(found("Math.log(2); desk.log(); console.log('warn');")).toMatchObject({ events: [] });
  });
});

const event = (name: string, level: string, message: string): LoggedEvent => ({
  path: PATH,
  line: 1,
  event: name,
  level,
  message,
});

describe('events', () => {
  it('have one meaning', () => {
    const same = event('leg.lost', 'warn', 'Lost a leg');
    expect(ambiguous([same, same])).toEqual([]);
    expect(lines(ambiguous([same, event('leg.lost', 'warn', 'Left a leg')]))).toEqual([
      `${PATH}:1 leg.lost has another message in ${PATH}`,
    ]);
  });

  it('have advice where they are warnings or errors, and only there', () => {
    const all = [event('leg.lost', 'warn', 'Lost a leg'), event('leg.opened', 'info', 'Opened a leg')];
    expect(unadvised(all, { 'leg.lost': 'Look.' })).toEqual([]);
    expect(unadvised(all, { 'leg.opened': 'Look.' }).map(({ fault }) => fault)).toEqual([
      'has no advice for leg.lost',
      'advises on leg.opened, which is no warning and no error',
    ]);
  });
});
