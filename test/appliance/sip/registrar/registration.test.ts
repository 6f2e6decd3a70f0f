import { describe, expect, test } from 'vitest';
import { parseUri } from '#appliance/sip/message/index.ts';
import { addressOfRecord, readRegistration } from '#appliance/sip/registrar/index.ts';
import { AOR, flow, registration, request } from './fixture.ts';

describe('reading a REGISTER', () => {
  test.each([
    ['a wildcard without Expires', ['Contact: *']],
    ['a wildcard with a time', ['Contact: *', 'Expires: 60']],
    ['a wildcard beside a contact', ['Contact: *', 'Contact: <sip:a@h.test>', 'Expires: 0']],
    ['a wildcard in a list', ['Contact: *, <sip:a@h.test>', 'Expires: 0']],
    ['a contact that is no URI', ['Contact: <nobody>']],
    ['33 contacts', Array.from({ length: 33 }, (_, at) => `Contact: <sip:a${at}@h.test>`)],
    ['a broken Path', ['Contact: <sip:a@h.test>', 'Path: <sip:']],
  ])('%s is malformed', (_name, fields) => {
    expect(readRegistration(request(fields), AOR, flow(), true)).toMatchObject({
      ok: false,
      error: { code: 'Malformed' },
    });
  });

  test.each([
    ['q=0.7', 0.7],
    ['q=0', 0],
    ['q=1.5', 1],
    ['q=x', 1],
    ['x=1', 1],
  ])('%s', (parameter, q) => {
    expect(registration([`Contact: <sip:a@h.test>;${parameter}`]).contacts).toMatchObject([{ q }]);
  });

  test('an instance without reg-id is no outbound contact', () => {
    const contacts = registration(['Contact: <sip:a@h.test>;+sip.instance="<urn:uuid:1>"']).contacts;
    expect(contacts).toMatchObject([{ key: 'sip:a@h.test', outbound: false }]);
  });
});

test.each([
  ['sip:scaip-1@Demo.Carillon.Test:5060;user=phone', 'scaip-1@demo.carillon.test'],
  ['sips:a:secret@h.test', 'a@h.test'],
  ['sip:h.test', undefined],
  ['tel:+4580000000', undefined],
])('address-of-record of %s', (text, expected) => {
  const uri = parseUri(text);
  expect(uri.ok ? addressOfRecord(uri.value) : 'malformed').toBe(expected);
});
