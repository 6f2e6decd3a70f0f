import '../english.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { actionName, entityName, entityOf } from '#cloud/console/component/wording/audit-words.ts';
import { twinSchema } from '#shared/contract/feed/index.ts';

it.each([
  ['alarmbridge', 'patch', 'Alarm receiver: changed'],
  ['trunk', 'put provisory', 'Trunk: draft written'],
  ['device', 'delete many', 'Device: many deleted'],
  ['delivery', 'redeliver', 'Delivery: sent again'],
  ['queuewall', 'create', 'Display on a wall: created'],
  ['user', 'invite', 'Person: invited'],
  ['host', 'mediaservice.queue', 'Host: call queues read'],
  ['host', 'releasealarm', 'Host: given back'],
  // A later release has them: as the API spells them.
  ['lamp', 'switch on', 'lamp: switch on'],
])('the audit log says of %s and %s: %s', (entity, action, words) => {
  expect(`${i18n._(entityName(entity))}: ${i18n._(actionName(action))}`).toBe(words);
});

it.each([
  ['read', { hostId: 'gw-1' }, 'Recording'],
  ['read url', {}, 'Recording'],
  ['create', { after: { origin: 'recording' } }, 'Recording'],
  ['expire', { before: { origin: 'recording' } }, 'Recording'],
  ['create', { after: { origin: 'upload' } }, 'Prompt'],
  ['put', { before: { origin: 'recording' }, after: { origin: 'upload' } }, 'Prompt'],
  ['delete', { before: { origin: 'upload' } }, 'Prompt'],
])('the audit log says of a file with action %s and %o: %s', (action, detail, words) => {
  expect(i18n._(entityName(entityOf({ entity: 'promptfile', action, detail })))).toBe(words);
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

/** Words that functions of the control plane which write an entry get beside the resource. */
const GIVEN = [
  /\b(?:audit|audited|entry)\([^'()]*'([a-z][a-z. ]*)'/g,
  /#write\(call, id, '([a-z ]+)'/g,
  /\bnoteAccess\(call, (?:row|\{[^}]*\}), '([a-z ]+)'/g,
  /\bdropRecording\(call, name, '([a-z ]+)'/g,
  /\bremove\(call, name, '([a-z ]+)'/g,
];
function givenActions(): readonly string[] {
  const found = new Set<string>();
  for (const file of readdirSync(CLOUD, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.startsWith('console')) continue;
    const text = readFileSync(join(CLOUD, file), 'utf8');
    for (const pattern of GIVEN) for (const [, word = ''] of text.matchAll(pattern)) found.add(word);
  }
  return [...found].sort();
}

const isBare = (word: string): boolean => actionName(word).message === word && actionName(word).id === word;

it('no action that a function gets is shown as the API spells it', () => {
  const given = givenActions();
  expect(given).toEqual(
    expect.arrayContaining(['expire', 'hand over', 'listening.opened', 'lose', 'move', 'read url', 'take']),
  );
  expect(given.filter(isBare)).toEqual([]);
});

/** A request of a person to a host: its entry has the name of the operation. */
const ASKED = [
  ...readFileSync(join(CLOUD, 'site/request/remote-requests.ts'), 'utf8').matchAll(/'?([a-z.]+)'?: rule\(/g),
].map(([, word = '']) => word);

it.each([...twinSchema.shape.life.options, ...ASKED])('the action %s of a host is shown in words', (word) => {
  expect(isBare(word)).toBe(false);
});

it('no action of the audit log is shown as the API spells it', () => {
  const bare = wordsOf('action').filter(isBare);
  expect(bare.filter((word) => !OF_BROKERS.has(word))).toEqual([]);
});
