import { describe, expect, it } from 'vitest';
import { fieldsOf, type Schema, valueAt, withValue, words } from '#cloud/console/component/form/schema.ts';
import { contractSchema } from '../../../installer/build/console/contract-schema.mjs';

const fieldsFor = (contract: string, values: Record<string, unknown>) =>
  fieldsOf(contractSchema(contract) as Schema, values);

describe('the fields of a contract', () => {
  it('are those of the variant that the values choose, with the words of all variants to choose from', () => {
    const named = (protocol: string) =>
      fieldsFor('alarmBridgeRequestSchema', { protocol }).map(({ name }) => name);
    expect(named('dc09')).toContain('dc09');
    expect(named('scaip')).not.toContain('dc09');
    const [protocol] = fieldsFor('alarmBridgeRequestSchema', { protocol: 'dc09' }).filter(
      ({ name }) => name === 'protocol',
    );
    expect(protocol).toMatchObject({ kind: 'choice', isRequired: true, path: '/protocol' });
    expect(protocol?.choices).toEqual(
      expect.arrayContaining(['scaip', 'bs8521', 'dc09', 'api', 'voicecall']),
    );
  });

  it('have a kind for each value, and groups for what is nested', () => {
    const fields = fieldsFor('trunkRequestSchema', { hosts: [{ uri: 'sip:a' }, {}] });
    const kinds = Object.fromEntries(fields.map(({ name, kind }) => [name, kind]));
    expect(kinds).toMatchObject({
      name: 'text',
      direction: 'choice',
      hosts: 'items',
      ipAllowList: 'texts',
      register: 'yesNo',
      strip: 'number',
      optionsInterval: 'number',
    });
    const hosts = fields.find(({ name }) => name === 'hosts');
    expect(hosts?.fields.map(({ path }) => path)).toEqual(['/hosts/0', '/hosts/1']);
    expect(hosts?.fields[1]?.fields.map(({ path }) => path)).toContain('/hosts/1/uri');
    expect(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['name']);
  });

  it('are left out where they have no effect for the protocol', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        protocol: { type: 'string', enum: ['a', 'b'] },
        level: {
          type: 'number',
          'x-protocols': ['a'],
          'x-unit': 'dBm0',
          'x-section': 'voice',
          'x-label': 'Level',
        },
      },
    };
    expect(fieldsOf(schema, { protocol: 'b' }).map(({ name }) => name)).toEqual(['protocol']);
    expect(fieldsOf(schema, { protocol: 'a' })[1]).toMatchObject({ label: 'Level', section: 'voice' });
  });

  it.each([
    ['callbackBaseUrl', 'Callback base URL'],
    ['deviceCLI', 'Device CLI'],
    ['srtp', 'SRTP'],
    ['useVPNConnection', 'Use VPN connection'],
    ['enforceIvrDestination', 'Enforce IVR destination'],
    ['restAuthentication', 'REST authentication'],
    ['arcDisconnectClearsCall', 'ARC disconnect clears call'],
    ['forceRtpRelay', 'Force RTP relay'],
  ])('are named in words: %s', (name, text) => {
    expect(words(name)).toBe(text);
  });

  it('are refused for a contract that is not there', () => {
    expect(() => contractSchema('noSuchSchema')).toThrow('export no noSuchSchema');
  });
});

describe('a value at a pointer', () => {
  const values = { name: 'x', tone: { level: 1 }, hosts: [{ uri: 'a' }, { uri: 'b' }], 'a/b': { 'c~d': 1 } };

  it('is read and written, in objects and lists', () => {
    expect(valueAt(values, '/hosts/1/uri')).toBe('b');
    expect(valueAt(values, '/a~1b/c~0d')).toBe(1);
    expect(valueAt(values, '/tone/none/deeper')).toBeUndefined();
    expect(withValue(values, '/hosts/1/uri', 'c').hosts).toEqual([{ uri: 'a' }, { uri: 'c' }]);
    expect(withValue({}, '/tone/level', 3)).toEqual({ tone: { level: 3 } });
    expect(withValue({ 'a/b': 1 }, '/a~1b', 2)).toEqual({ 'a/b': 2 });
  });

  it('goes when it is taken away, and a group that is empty then goes with it', () => {
    expect(withValue(values, '/hosts/0', undefined).hosts).toEqual([{ uri: 'b' }]);
    expect(withValue({ name: 'x', tone: { level: 1 } }, '/tone/level', undefined)).toEqual({ name: 'x' });
  });

  it('leaves the values as they were', () => {
    const before = structuredClone(values);
    withValue(values, '/hosts/0/uri', 'z');
    expect(values).toEqual(before);
  });
});
