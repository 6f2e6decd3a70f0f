import { describe, expect, test } from 'vitest';
import { readJournal } from '#installer/plan/index.ts';

const head = `{"plan":"upgrade","at":"2026-01-01T00:00:00Z","whenFailed":"undo","afterUndo":[["a","b"]]}\n`;

describe('the journal of a plan', () => {
  test('that was never begun is empty', () => {
    expect(readJournal('')).toEqual({ kind: 'empty' });
  });

  test('takes back the last change first', () => {
    const text = `${head}{"step":"slot","state":"begun"}\n{"undo":{"kind":"remove","path":"/a"}}\n{"undo":{"kind":"remove","path":"/b"}}\n`;
    expect(readJournal(text)).toMatchObject({
      kind: 'cut',
      plan: 'upgrade',
      step: 'slot',
      undo: [{ path: '/b' }, { path: '/a' }],
      afterUndo: [['a', 'b']],
    });
  });

  test('knows its end', () => {
    expect(readJournal(`${head}{"end":"done"}\n`)).toEqual({ kind: 'ended', plan: 'upgrade', end: 'done' });
    expect(readJournal(`${head}{"end":"failed"}\n`)).toMatchObject({ kind: 'cut' });
  });

  test('loses only the line that a power cut tore', () => {
    expect(readJournal(`${head}{"undo":{"kind":"rem`)).toMatchObject({ kind: 'cut', undo: [] });
  });

  test.each(['{"step":"slot","state":"begun"}\n', `${head}nonsense\n{"end":"done"}\n`, `${head}nonsense\n`])(
    'that is damaged is recognised: %s',
    (text) => {
      expect(readJournal(text)).toBeUndefined();
    },
  );
});
