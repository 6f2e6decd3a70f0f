import { describe, expect, it } from 'vitest';
import { SIA_MAPPINGS } from '#appliance/alarm/protocol/dc09/index.ts';
import { contentFault } from '#shared/contract/profile/index.ts';
import { BUILT_IN_PROFILES } from '#shared/contract/provisioning/index.ts';

describe('rows of code tables', () => {
  it.each([
    ['scaip-stc', { rows: [{ code: '0900', receive: 'fault', send: 'malfunction|failure' }] }],
    ['scaip-dty', { rows: [{ code: '0900', receive: 'fallDetector', receiveStatusCode: 'alarm' }] }],
    ['bs8521-event', { rows: [{ code: '777', receiveDeviceType: 'fallDetector', sendDeviceType: '*' }] }],
    ['lift-audio-unit', { rows: [{ code: '9', meaning: 'roof' }] }],
  ])('are taken with %s', (name, content) => {
    expect(contentFault('codes', name, content)).toBeUndefined();
  });

  it.each([
    ['no list', 'scaip-stc', {}, '/rows'],
    ['a word of no list', 'scaip-stc', { rows: [{ code: '1', receive: 'fine' }] }, '/rows/0/receive'],
    ['a word of another field', 'scaip-lco', { rows: [{ code: '1', send: 'alarm' }] }, '/rows/0/send'],
    ['no code', 'scaip-dty', { rows: [{ receive: 'fallDetector' }] }, '/rows/0/code'],
    ['a code twice', 'scaip-dty', { rows: [{ code: '1' }, { code: '1' }] }, '/rows/1/code'],
    [
      'a column of the other form',
      'bs8521-event',
      { rows: [{ code: '1', receive: 'x' }] },
      '/rows/0/receive',
    ],
    ['an unknown column', 'tt-call', { rows: [{ code: '1', oops: 'x' }] }, '/rows/0/oops'],
    [
      'a column of two words, one of them wrong',
      'scaip-stc',
      { rows: [{ code: '1', send: 'alarm|x' }] },
      '/rows/0/send',
    ],
  ])('are refused with the place: %s', (_, name, content, path) => {
    expect(contentFault('codes', name, content)?.path).toBe(path);
  });

  it('are looked at for every table the product brings', () => {
    for (const name of BUILT_IN_PROFILES.codes)
      expect(contentFault('codes', name, { rows: 1 })?.path, name).toBe('/rows');
  });
});

describe('mappings to SIA', () => {
  it('that the product brings are of the form that a tenant gives', () => {
    for (const { name, ...content } of Object.values(SIA_MAPPINGS))
      expect(contentFault('siaMapping', name, JSON.parse(JSON.stringify(content))), name).toBeUndefined();
  });

  it.each([
    [{ statusRules: [{ statusCode: ['alarm'], sia: 'fa', cid: '1110' }] }, '/statusRules/0/sia'],
    [{ statusRules: [{ statusCode: ['alarm'], sia: 'FA', cid: '2110' }] }, '/statusRules/0/cid'],
    [{ statusRules: [{ statusCode: ['fine'], sia: 'FA', cid: '1110' }] }, '/statusRules/0/statusCode'],
    [{ devices: { toaster: {} } }, '/devices/toaster'],
    [{ devices: { fallDetector: { alarm: { sia: 'FA' } } } }, '/devices/fallDetector/alarm/cid'],
    [{ statusClass: { alarm: ['x'] } }, '/statusClass/alarm/0'],
    [{ anything: 1 }, '/anything'],
  ])('%j is refused with the place', (content, path) => {
    expect(contentFault('siaMapping', 'default', content)?.path).toBe(path);
  });
});
