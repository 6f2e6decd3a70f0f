import { expect, test } from 'vitest';
import { type History, judge, judgeUplink } from './site-history.ts';

/** Three alarms of which everything went well; the third one twice, as after a crash. */
const good = {
  devices: { sent: 4, acknowledged: ['A1', 'A2', 'A3'] },
  journal: {
    stored: new Set(['A1', 'A2', 'A3', 'A4']),
    callbacks: new Map([
      ['A1', ['one']],
      ['A2', ['two']],
      ['A3', ['three']],
      ['A4', ['four']],
    ]),
    waiting: [],
  },
  application: [
    { reference: 'A1', key: 'one' },
    { reference: 'A2', key: 'two' },
    { reference: 'A3', key: 'three' },
    { reference: 'A3', key: 'three' },
    { reference: 'A4', key: 'four' },
  ],
} satisfies History;

test('a history without a fault is green, also with a repeat under the same id', () => {
  const verdict = judge(good, 'same id');
  expect(verdict.violations).toEqual([]);
  expect(verdict.figures).toMatchObject({ sent: 4, acknowledged: 3, lost: 0, 'repeated, same id': 1 });
});

test.each<[string, History, string]>([
  [
    'an acknowledged alarm that never came',
    { ...good, application: good.application.filter(({ reference }) => reference !== 'A2') },
    '1 acknowledged, but never at the application: A2',
  ],
  [
    'an acknowledged alarm that is not on disk',
    { ...good, journal: { ...good.journal, stored: new Set(['A1', 'A3']) } },
    '1 acknowledged, but not in the journal: A2',
  ],
  [
    'one alarm under two ids',
    {
      ...good,
      journal: { ...good.journal, callbacks: new Map([...good.journal.callbacks, ['A1', ['one', 'uno']]]) },
      application: [...good.application, { reference: 'A1', key: 'uno' }],
    },
    '1 delivered twice under different ids: A1',
  ],
  [
    'an id that was never stored',
    { ...good, application: [...good.application, { reference: 'A5', key: 'five' }] },
    '1 delivered under an id that is not in the journal: A5',
  ],
  [
    'a callback that is never tried',
    { ...good, journal: { ...good.journal, waiting: ['A4'] } },
    '1 not delivered when all was quiet: A4',
  ],
])('%s turns it red', (_, history, sentence) => {
  expect(judge(history, 'same id').violations).toEqual([sentence]);
});

test('where nothing broke, a repeat is a fault too', () => {
  expect(judge(good, 'never').violations).toEqual(['1 delivered twice although nothing broke: A3']);
});

test('asks a disk alone where its words are of a disk alone', () => {
  const { devices, journal } = good;
  expect(judge({ devices, journal }, 'same id').violations).toEqual([]);
  const empty = { stored: new Set<string>(), callbacks: new Map(), waiting: [] };
  expect(judge({ devices, journal: empty }, 'same id').violations).toEqual([
    '3 acknowledged, but not in the journal: A1 A2 A3',
  ]);
});

test('an uplink in order is green; a gap, a disorder, a repeat and a missing acknowledgement are not', () => {
  const host = ['e1', 'e2', 'e3'];
  expect(judgeUplink({ host, cloud: host, unacknowledged: [] }).violations).toEqual([]);
  expect(judgeUplink({ host, cloud: ['e1', 'e3'], unacknowledged: ['e2'] }).violations).toEqual([
    '1 events never came to the cloud: e2',
    '1 events were not acknowledged to the host: e2',
  ]);
  const fault = 'events came to the cloud twice, or out of their order';
  expect(judgeUplink({ host, cloud: ['e2', 'e1', 'e3'], unacknowledged: [] }).violations).toEqual([
    `2 ${fault}: e2 e1`,
  ]);
  expect(judgeUplink({ host, cloud: ['e1', 'e2', 'e3', 'e3'], unacknowledged: [] }).violations).toEqual([
    `1 ${fault}: e3`,
  ]);
});
