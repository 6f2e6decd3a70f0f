import '../english.ts';
import { describe, expect, it } from 'vitest';
import { isKnownNote, noteText } from '#cloud/console/component/step/note-words.ts';
import {
  brokerModeText,
  brokerPropertyText,
  deploymentErrorText,
} from '#cloud/console/page/platform/platform-words.ts';
import { createStorageDamageWatch } from '#cloud/monitoring/index.ts';
import { platformTroubleSchema } from '#shared/contract/site/index.ts';
import { repositorySources } from '#test/architecture/repository.ts';
import { lines, source } from '#test/architecture/source.ts';
import { platformNotesOf } from './note-rule.ts';

const say = () => 'in another language';

describe('the sentences about the deployment', () => {
  const { notes, faults } = platformNotesOf(repositorySources());

  it('are found', () => {
    expect(notes.length).toBeGreaterThan(35);
    expect(lines(faults)).toEqual([]);
  });

  it('each have words in the console: component/step/note-platform.ts', () => {
    const left = notes.filter(({ sentence }) => !isKnownNote(sentence));
    expect(left.map(({ path, line, sentence }) => `${path}:${line} ${sentence}`)).toEqual([]);
  });

  it('without words turn the rule red', () => {
    const planted = source(
      'cloud/monitoring/planted.ts',
      "platform.raise({ ...what, message: 'the moon fell' }); findings.push({ name, ok, sentence: 'the sun, too' });",
    );
    const planned = platformNotesOf([planted]).notes.map(({ sentence }) => sentence);
    expect(planned).toEqual(['the moon fell', 'the sun, too']);
    expect(planned.map(isKnownNote)).toEqual([false, false]);
  });
});

it.each(['damaged', 'removed'] as const)('a file of the database that is %s has words', (kind) => {
  const said: string[] = [];
  const look = createStorageDamageWatch({
    damaged: () => [{ file: '/data/cloud.db.damaged-1', kind, atMs: 0 }],
    platform: { raise: ({ message }) => said.push(message), clear: () => undefined },
  });
  look();
  expect(said.map((sentence) => noteText(sentence, say))).toEqual(['in another language']);
});

it('the finding of one of several brokers has words behind its address', () => {
  expect(noteText('mqtts://b1:8883: No client is let in without a certificate.', say)).toBe(
    'mqtts://b1:8883: in another language',
  );
});

it('each error has words, and one of a later release is readable', () => {
  for (const error of platformTroubleSchema.shape.error.options)
    expect(deploymentErrorText(error, say)).toBe('in another language');
  expect(deploymentErrorText('moonFallen', say)).toBe('Moon fallen');
  expect(brokerModeText('embedded', say)).toBe('in another language');
});

it('each property of a broker that is tried has words', () => {
  const textOf = (file: string) =>
    repositorySources().find(({ path }) => path === `cloud/io/broker/${file}.ts`)?.text ?? '';
  const [abilities = ''] = /readonly name: .*/.exec(textOf('ability')) ?? [];
  const names = [
    ...textOf('probe').matchAll(/\bfind\(\s*'([\w-]+)'/g),
    ...abilities.matchAll(/'(\w+)'/g),
  ].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => brokerPropertyText(name, say) !== 'in another language')).toEqual([]);
});
