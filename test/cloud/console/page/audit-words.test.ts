import '../english.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { actionName, entityName } from '#cloud/console/component/wording/audit-words.ts';

it.each([
  ['alarmbridge', 'patch', 'Alarm receiver: changed'],
  ['trunk', 'put provisory', 'Trunk: draft written'],
  ['device', 'delete many', 'Device: many deleted'],
  ['delivery', 'redeliver', 'Delivery: sent again'],
  ['queuewall', 'create', 'Display on a wall: created'],
  ['user', 'invite', 'Person: invited'],
  // A later release has them: as the API spells them.
  ['lamp', 'switch on', 'lamp: switch on'],
])('the audit log says of %s and %s: %s', (entity, action, words) => {
  expect(`${i18n._(entityName(entity))}: ${i18n._(actionName(action))}`).toBe(words);
});

const CLOUD = join(import.meta.dirname, '../../../../cloud');

/** Words that the sources of the control plane give as this property of an entry, beside the console's own. */
function wordsOf(property: 'entity' | 'action'): readonly string[] {
  const found = new Set<string>();
  for (const file of readdirSync(CLOUD, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('console')) continue;
    for (const [, word = ''] of readFileSync(join(CLOUD, file), 'utf8').matchAll(
      new RegExp(`\\b${property}: '([^']+)'`, 'g'),
    ))
      found.add(word);
  }
  return [...found].sort();
}

/** Messages to a broker and its client, which no audit entry has. */
const OF_BROKERS: ReadonlySet<string> = new Set(['send', 'receive']);

it('no kind of resource of the audit log is shown as the API spells it', () => {
  const entities = wordsOf('entity');
  expect(entities.length).toBeGreaterThan(20);
  expect(entities.filter((word) => i18n._(entityName(word)) === word)).toEqual([]);
});

it('no action of the audit log is shown as the API spells it', () => {
  const bare = wordsOf('action').filter(
    (word) => actionName(word).message === word && actionName(word).id === word,
  );
  expect(bare.filter((word) => !OF_BROKERS.has(word))).toEqual([]);
});
