import '../english.ts';
import { describe, expect, it } from 'vitest';
import { isKnownNote } from '#cloud/console/component/step/note-words.ts';
import { repositorySources } from '#test/architecture/repository.ts';
import { lines, source } from '#test/architecture/source.ts';
import { notesOf } from './note-rule.ts';

/** Codes, and parts that the row of their note reads. */
const NO_SENTENCE: ReadonlySet<string> = new Set([
  'SIP …',
  'snu …',
  ' by …',
  ', … ms of speech',
  '… s',
  '… min',
  '; before that: …',
]);

const unsaid = (path: string, text: string): string[] => {
  const { notes, faults } = notesOf([source(path, text)]);
  return [...notes.map(({ sentence }) => sentence).filter((each) => !isKnownNote(each)), ...lines(faults)];
};
const PATH = 'appliance/alarm/session/planted.ts';

describe('the notes of the appliance', () => {
  const { notes, faults } = notesOf(repositorySources());

  it('are found', () => {
    expect(notes.length).toBeGreaterThan(170);
    expect(lines(faults)).toEqual([]);
  });

  it('each have words in the console: component/step/note-*.ts', () => {
    const left = notes.filter(({ sentence }) => !isKnownNote(sentence) && !NO_SENTENCE.has(sentence));
    expect(left.map(({ path, line, sentence }) => `${path}:${line} ${sentence}`)).toEqual([]);
  });
});

describe('the rule', () => {
  it.each([
    ['a sentence', "trace.add('note', { text: 'the moon rose' });", ['the moon rose']],
    [
      'one with a value',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a planted source
      "trace?.add('note', { text: `${moon} rose` });",
      ['… rose'],
    ],
    ['that of an effect', "const effect = { type: 'trace', text: 'the moon rose' };", ['the moon rose']],
    [
      'both of a choice, by way of a constant',
      "function f() { const text = late ? 'the moon rose' : 'the sun rose'; trace.add('note', { text }); }",
      ['the moon rose', 'the sun rose'],
    ],
    [
      'that of a caller',
      "const note = (text) => trace.add('note', { text }); note('the moon rose');",
      ['the moon rose'],
    ],
    [
      'that of a function',
      "function words() { return 'the moon rose'; } trace.add('note', { text: words() });",
      ['the moon rose'],
    ],
    [
      'a sentence within one',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a planted source
      "const why = 'the moon rose'; trace.add('note', { text: `media: ${why}` });",
      ['the moon rose'],
    ],
    [
      'the reason of another step',
      "trace.add('deviceUnreached', { reason: 'the moon rose' });",
      ['the moon rose'],
    ],
    [
      'that of a platform alarm',
      "raise({ type: 'serviceAlarm', error: 'moon', reason: 'the moon rose' });",
      ['the moon rose'],
    ],
    [
      'each of a table',
      "const WHY = { a: 'the moon rose', b: 'the sun rose' }; trace.add('notStored', { reason: WHY[cause] });",
      ['the moon rose', 'the sun rose'],
    ],
    [
      'none that it could read',
      "trace.add('note', { text: moon.phase });",
      [`${PATH}:1 the text of a note cannot be followed: moon.phase`],
    ],
  ])('finds %s', (_, text, expected) => {
    expect(unsaid(PATH, text)).toEqual(expected);
  });

  it('leaves a known sentence, a step of another kind, and what goes to the log', () => {
    expect(unsaid(PATH, "trace.add('note', { text: 'receiver and device hear each other' });")).toEqual([]);
    expect(unsaid(PATH, "trace.add('stored', { text: 'the moon rose' });")).toEqual([]);
    expect(
      unsaid('appliance/alarm/protocol/dc09/planted.ts', "to(x, { type: 'trace', text: 'the moon rose' });"),
    ).toEqual([]);
  });
});
