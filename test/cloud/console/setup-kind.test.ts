import { describe, expect, it } from 'vitest';
import { fieldsOf, type Schema } from '#cloud/console/component/form/schema.ts';
import { withEffects } from '#cloud/console/page/setup/effect.ts';
import { KINDS, operationOf } from '#cloud/console/page/setup/kind.ts';
import { judged } from '#cloud/console/page/setup/seen.ts';
import { OPERATIONS } from '#shared/client/operation.codes.ts';
import { compilePattern } from '#shared/matching/index.ts';
import { contractSchema } from '../../../installer/build/console/contract-schema.mjs';

describe('the fields of an alarm receiver', () => {
  const named = (protocol: string): string[] =>
    fieldsOf(withEffects(contractSchema('alarmBridgeRequestSchema') as Schema), { protocol }).map(
      ({ name }) => name,
    );

  it.each([
    ['bs8521', ['dataRequestInterval', 'toneSettings'], ['lacsCallback', 'dc09', 'voiceCallSource']],
    ['scaip', ['voiceCallSource', 'analogueVoiceNumber'], ['toneSettings', 'protocolMode', 'lacsCallback']],
    ['lacs', ['lacsCallback'], ['toneSettings', 'analogueVoiceNumber']],
    ['dc09', ['dc09', 'callbackBaseUrl'], ['enforceSpeakListen', 'auditRecording', 'toneSettings']],
    ['api', ['callbackBaseUrl'], ['enforceSpeakListen', 'protocolProfile']],
  ])('%s: only those that have an effect', (protocol, shown, hidden) => {
    expect(named(protocol)).toEqual(expect.arrayContaining(['protocol', 'name', ...shown]));
    for (const name of hidden) expect(named(protocol)).not.toContain(name);
  });
});

describe('the target of an event sender', () => {
  it('is a group with the fields of its protocol', () => {
    const inTarget = (protocol: string) =>
      fieldsOf(contractSchema('alarmEventMapperRequestSchema') as Schema, {
        targetEndpoint: { protocol },
      }).find(({ name }) => name === 'targetEndpoint');
    expect(inTarget('scaip')).toMatchObject({ kind: 'group' });
    expect(inTarget('scaip')?.fields[0]).toMatchObject({
      path: '/targetEndpoint/protocol',
      choices: expect.arrayContaining(['scaip', 'bs8521', 'sia-dcs', 'callback']),
    });
    const names = (protocol: string) => inTarget(protocol)?.fields.map(({ name }) => name);
    expect(names('callback')).not.toEqual(names('scaip'));
  });
});

describe('a pattern over the destinations that were seen', () => {
  it('judges destinations alone, in the order of the answer', () => {
    const pattern = compilePattern('^\\+46');
    if (!pattern.ok) throw new Error(pattern.error.reason);
    const seen = [
      { value: 'scaip', role: 'to', amount: 9, lastAt: 3 },
      { value: '+461', role: 'from', amount: 4, lastAt: 2 },
      { value: '+468', role: 'to', amount: 1, lastAt: 1 },
    ] as const;
    expect(judged(seen, pattern.value.test).map(({ value, isMatch }) => [value, isMatch])).toEqual([
      ['scaip', false],
      ['+468', true],
    ]);
  });
});

describe('the operations of each kind', () => {
  it.each(KINDS)('$page: are operations of the API', (kind) => {
    const paths = (one: boolean, names: readonly (keyof typeof OPERATIONS)[]) =>
      names.filter((name) => !(OPERATIONS[name]?.path ?? '').includes(one ? `{${kind.id}}` : '/{domain}'));
    const all = [operationOf(kind, 'get', false), operationOf(kind, 'post', false)];
    const one = (['get', 'put', 'delete'] as const).map((verb) => operationOf(kind, verb, true));
    const parts = [operationOf(kind, 'get', true, 'History'), operationOf(kind, 'post', true, 'Restore')];
    expect(paths(false, all)).toEqual([]);
    expect(paths(true, [...one, ...parts])).toEqual([]);
  });
});
