import '../english.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { causeOf, causeWords } from '#cloud/console/component/wording/incident-words.ts';
import { blocksOf } from '#cloud/console/page/alarm/runbook-text.ts';
import { platformAlarmSchema } from '#shared/contract/callback/index.ts';
import { runbookTexts } from '../../../../installer/build/console/runbook.mjs';

const texts: Readonly<Record<string, string>> = runbookTexts();

/** Its words are macros that only the bundler reads: the names stand in the source. */
const source = readFileSync(
  join(import.meta.dirname, '../../../../cloud/console/component/wording/incident-words.ts'),
  'utf8',
);

describe('the sentences of incidents', () => {
  it('exist for every platform alarm, so that no name of a type is shown bare', () => {
    const names = platformAlarmSchema.options.flatMap(({ shape }) => {
      const { value } = shape.type as { value: string };
      return value === 'monitoringAlarm'
        ? (shape as unknown as { error: { options: string[] } }).error.options
        : [value];
    });
    // It ends the incident of `destinationDown` and is none itself.
    const missing = names.filter((name) => name !== 'destinationUp' && !source.includes(`  ${name}: msg`));
    expect(missing).toEqual([]);
  });
});

it.each([
  ['sip', 'A service of a host stopped working'],
  ['cb 01j9z3n6t2v4q8w5x7y1b3c5d7', 'An application did not accept a callback'],
])('a failure of the service %s is named: %s', (service, words) => {
  expect(i18n._(causeWords(causeOf({ error: 'serviceFailure', errorDetails: { service } })))).toBe(words);
});

describe('runbooks inside an incident', () => {
  it('are the files of the monitoring, each read in whole', () => {
    expect(Object.keys(texts)).toContain('noHeartbeatReply');
    for (const [name, text] of Object.entries(texts)) {
      const shown = JSON.stringify(blocksOf(text));
      // Marks of Markdown that were not understood would be shown to a person.
      expect(shown, name).not.toMatch(/"text":"[^"]*(?:\*\*|^#|^- )/m);
      const headings = blocksOf(text).filter(({ kind }) => kind === 'heading');
      expect(headings.length, name).toBe(text.match(/^## /gm)?.length ?? 0);
    }
  });

  it('keep lists, tables and code', () => {
    const blocks = blocksOf(
      '# a\n\nA `b` and **c**.\n\n## Look\n\n1. one\n   more\n2. two\n\n| x | y |\n|---|---|\n| 1 | 2 |\n',
    );
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'heading', 'list', 'table']);
    expect(blocks[2]).toMatchObject({ isOrdered: true, items: [[{ text: 'one more' }], [{ text: 'two' }]] });
    expect(blocks[3]).toMatchObject({
      rows: [
        [[{ text: 'x' }], [{ text: 'y' }]],
        [[{ text: '1' }], [{ text: '2' }]],
      ],
    });
  });
});
