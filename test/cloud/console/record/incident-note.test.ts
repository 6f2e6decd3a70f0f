import '../english.ts';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { EndpointWatch } from '#appliance/delivery/endpoint-watch.ts';
import { judgeLate } from '#appliance/site/index.ts';
import { journalDamage, recordDamage, replicaDamage } from '#appliance/site/supervision/index.ts';
import { isKnownNote, noteText } from '#cloud/console/component/step/note-words.ts';
import { silentHostText } from '#cloud/monitoring/alarm/wording.ts';
import { repositorySources } from '#test/architecture/repository.ts';
import { lines, source } from '#test/architecture/source.ts';
import { incidentsOf } from './note-rule.ts';

/** Parts of sentences that are made of several; the whole ones are tried below. */
const PARTS: Readonly<Record<string, RegExp>> = {
  'appliance/delivery/endpoint-watch.ts': /./,
  'appliance/site/gauge.ts': /audio waits for the processor…|% stolen by the host of this machine/,
  'appliance/site/supervision/damage-reports.ts':
    /^the (?:journal|configuration|records of sessions|file of …)|^…/,
  'cloud/monitoring/alarm/wording.ts': /^(?:is|was) |^Host … ….…$|^ No host of the site/,
  'cloud/site/enrolment/certificate-watch.ts': /./,
};
const isPart = (path: string, sentence: string): boolean => PARTS[path]?.test(sentence) === true;

describe('the sentences of incidents', () => {
  const { notes, faults } = incidentsOf(repositorySources());

  it('are found', () => {
    expect(notes.length).toBeGreaterThan(40);
    expect(lines(faults)).toEqual([]);
  });

  it('each have words in the console: component/step/note-incident.ts', () => {
    const left = notes.filter(({ path, sentence }) => !isKnownNote(sentence) && !isPart(path, sentence));
    expect(left.map(({ path, line, sentence }) => `${path}:${line} ${sentence}`)).toEqual([]);
  });
});

const kept = async (): Promise<void> => undefined;
const salvaged = { file: 'f', fault: 'x', recovered: 1, lost: 0, unreadable: 0, waiting: 3 };
const file = { file: 'f', fault: 'x' };
/** The sentences of an endpoint that takes no callback for this reason, and then one. */
function endpointSentences(result: Parameters<EndpointWatch['attempted']>[1]): string[] {
  const said: string[] = [];
  const watch = new EndpointWatch({
    tell: ({ message }) => said.push(message),
    wallMs: () => 0,
    nameOf: () => 'Alarms',
  });
  watch.attempted('alarm a', result);
  watch.attempted('alarm a', { kind: 'delivered' });
  return said;
}
const late = (use?: Parameters<typeof judgeLate>[0]['use']) => {
  const judged = judgeLate({ late: true, inTimeMs: 0, use });
  return judged.kind === 'bad' ? judged.message : '';
};

it.each([
  ...(['silence', 'hostDown', 'uplinkDown', 'shutdown', 'poweroff'] as const).flatMap((cause) =>
    [false, true].map((alone) => silentHostText('h1', cause, alone, 0).message),
  ),
  journalDamage(salvaged, kept).message,
  journalDamage({ ...salvaged, failed: 'no page' }, kept).message,
  journalDamage({ ...salvaged, removed: true }, kept).message,
  replicaDamage(file).message,
  replicaDamage({ ...file, removed: true }).message,
  replicaDamage({ ...file, missing: true }).message,
  recordDamage({ ...file, rows: 7 }).message,
  recordDamage({ ...file, removed: true, rows: 7 }).message,
  late(),
  late({ stolenPct: 12, ownPct: 80 }),
  ...endpointSentences({ kind: 'refused', status: 500, reason: 'answered 500' }),
  ...endpointSentences({ kind: 'unreached', reason: 'no answer within callbackTimeout' }),
  'The certificate of host h1 has ended and was not renewed. Check whether the host is connected.',
  'The certificate of host h1 ends in 3 days and was not renewed. Check whether the host is connected.',
])('%s', (sentence) => {
  expect(noteText(sentence, () => 'in another language')).toBe('in another language');
});

it('the parts of the sentence about a certificate are those that are tried above', () => {
  const { notes } = incidentsOf(
    repositorySources().filter(({ path }) => path === 'cloud/site/enrolment/certificate-watch.ts'),
  );
  expect(notes.map(({ sentence }) => sentence)).toEqual([
    'The certificate of host … … and was not renewed. Check whether the host is connected.',
    'has ended',
    'ends in … days',
  ]);
});

it('a sentence within another one is the second that is read', () => {
  const say = (sentence: MessageDescriptor) => i18n._(sentence);
  expect(noteText('Host gw-1 cannot be drained. 3 alarm calls go on; they are never ended', say)).toBe(
    'Host gw-1 cannot be drained: 3 alarm calls go on; they are never ended.',
  );
  expect(
    noteText(
      'nobody answered within 30 s (maxSessionDuration); the device was hung up without clear-down, so that it dials on by itself',
      say,
    ),
  ).toBe(
    'no person answered within 30 s (maxSessionDuration); the device was hung up without clear-down, so that it dials on by itself',
  );
});

it('an incident without words turns the rule red', () => {
  const planted = source(
    'appliance/site/planted.ts',
    "raise({ error: 'moon', service: '', severity: 'major', message: 'the moon fell' });",
  );
  const { notes } = incidentsOf([planted]);
  expect(notes.map(({ sentence }) => [sentence, isKnownNote(sentence)])).toEqual([['the moon fell', false]]);
});
