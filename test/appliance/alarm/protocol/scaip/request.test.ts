import { describe, expect, it } from 'vitest';
import {
  alarmEventOf,
  decodeRequest,
  encodeRequest,
  encodeResponse,
  sourceEventOf,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { plainResponse } from '#appliance/alarm/protocol/scaip/response.ts';
import { receivedForm } from '#shared/alarm-event/index.ts';

const read = (xml: string | Uint8Array) => {
  const result = decodeRequest(xml);
  if (!result.ok) throw new Error(result.error.reason);
  return result.value;
};
const body = (inner: string) => `<mrq><ref>R1</ref><cid>123</cid><dty>0003</dty>${inner}</mrq>`;
const warnings = (xml: string) => sourceEventOf(read(xml), { policy: 'off', result: 'notChecked' }).warnings;

describe('bad requests', () => {
  it.each([
    ['not XML', 'alarm!', 2, '0'],
    ['empty', '', 2, '0'],
    ['cut off, reference found in the text', '<mrq><ref>AB12</ref><cid>1', 2, 'AB12'],
    ['another root', '<mrs><ref>AB12</ref></mrs>', 2, 'AB12'],
    ['two roots', '<mrq><ref>A1</ref></mrq><mrq/>', 2, 'A1'],
    ['a document type', '<!DOCTYPE mrq><mrq><ref>A1</ref></mrq>', 2, 'A1'],
    ['a name that would change objects', '<mrq><ref>A1</ref><__proto__>1</__proto__></mrq>', 2, 'A1'],
    ['nested too deeply', `<mrq><ref>A1</ref>${'<x>'.repeat(20)}${'</x>'.repeat(20)}</mrq>`, 2, 'A1'],
    ['too long', `<mrq><ref>A1</ref><ite>${'x'.repeat(65_536)}</ite></mrq>`, 1, 'A1'],
    ['no reference', '<mrq><cid>1</cid><dty>3</dty></mrq>', 10, '0'],
    ['an empty reference', '<mrq><ref> </ref><cid>1</cid><dty>3</dty></mrq>', 10, '0'],
    [
      'a reference over 64',
      `<mrq><ref>${'A'.repeat(65)}</ref><cid>1</cid><dty>3</dty></mrq>`,
      3,
      'A'.repeat(16),
    ],
    ['no cid', '<mrq><ref>A1</ref><dty>3</dty></mrq>', 7, 'A1'],
    ['an empty cid', '<mrq><ref>A1</ref><cid/><dty>3</dty></mrq>', 7, 'A1'],
    ['no dty', '<mrq><ref>A1</ref><cid>1</cid></mrq>', 7, 'A1'],
    ['a cid over 32', `<mrq><ref>A1</ref><cid>${'1'.repeat(33)}</cid><dty>3</dty></mrq>`, 3, 'A1'],
    ['dty no number', '<mrq><ref>A1</ref><cid>1</cid><dty>ABC</dty></mrq>', 3, 'A1'],
    ['stc no number', body('<stc>x</stc>'), 3, 'R1'],
  ])('%s', (_, xml, snu, ref) => {
    const result = decodeRequest(xml);
    expect(result.ok ? 'taken' : { snu: result.error.snu, ref: result.error.ref }).toEqual({ snu, ref });
  });
});

describe('a tolerated request', () => {
  it('has a reference over 16, which is repeated whole, with a warning', () => {
    const ref = 'A'.repeat(17);
    const taken = read(`<mrq><ref>${ref}</ref><cid>1</cid><dty>3</dty></mrq>`);
    expect(taken).toMatchObject({ ref, warnings: ['referenceTooLong'] });
    expect(encodeResponse(plainResponse(ref, 0))).toContain(`<ref>${ref}</ref>`);
  });

  it.each([
    ['lco', '-1'],
    ['dco', '1.5'],
    ['pri', 'high'],
  ])('has an optional %s that is no number, with a warning and its text', (tag, text) => {
    const request = read(body(`<${tag}>${text}</${tag}>`));
    expect(request).toMatchObject({ warnings: [`notANumber:${tag}`], fields: { [tag]: text }, priority: 0 });
    expect(request).not.toHaveProperty(tag);
  });

  it.each([
    [
      'unknown numbers',
      body('<stc>0950</stc><lco>095</lco><dco>099</dco>'),
      ['unknownCode:stc', 'unknownCode:lco', 'unknownCode:dco'],
    ],
    ['an unknown device type', '<mrq><ref>R1</ref><cid>1</cid><dty>4711</dty></mrq>', ['unknownCode:dty']],
    ['an unknown message type', body('<mty>XX</mty>'), ['unknownMessageType']],
    ['an unknown medium', body('<crd>pigeon:home</crd>'), ['unknownMedium']],
    ['a medium that is too long', body(`<crd>sip:${'a'.repeat(300)}</crd>`), ['callerIdTooLong']],
    ['texts that are too long', body(`<ite>${'x'.repeat(200)}</ite>`), ['cut:ite']],
    ['a priority over 9', body('<pri>12</pri>'), ['priorityTooHigh']],
    ['an element twice', body('<cid>124</cid>'), ['repeated:cid']],
    ['an unknown part count', body('<ame>many</ame>'), ['unknownPartCount']],
    ['a unit identity that is too long', body(`<did>${'9'.repeat(70)}</did>`), ['cut:did']],
    ['nothing strange', body('<stc>0010</stc>'), []],
  ])('%s', (_, xml, wanted) => {
    expect(warnings(xml)).toEqual(wanted);
  });

  it('is read with a namespace, white space, any order, lower case and unknown elements', () => {
    const request = read(
      '<?xml version="1.0"?>\n<s:mrq xmlns:s="urn:x">\n <s:dty> 4 </s:dty><s:mty>pi</s:mty><s:zzz>1</s:zzz><s:cid> 77 </s:cid><s:ref>9</s:ref></s:mrq>\0',
    );
    expect(request).toMatchObject({ ref: '9', cid: '77', dty: '4', messageType: 'PI', fields: { zzz: '1' } });
  });

  it('has entities, and Latin letters without their encoding', () => {
    expect(read(body('<dte>&amp;&#229;</dte>')).fields.dte).toBe('&å');
    expect(read(Buffer.from(body('<dte>Vårdrum</dte>'), 'latin1')).fields.dte).toBe('Vårdrum');
    const declared = `<?xml version="1.0" encoding="ISO-8859-1"?>${body('<dte>Å</dte>')}`;
    expect(read(Buffer.from(declared, 'latin1')).fields.dte).toBe('Å');
  });

  it('has texts that are cut by signs and not in the middle of one', () => {
    expect(read(body(`<stt>${'😀'.repeat(40)}</stt>`)).fields.stt).toBe('😀'.repeat(32));
  });

  it('keeps its groups and repeated elements in the native event', () => {
    const xml = body(
      '<lge><geo>59.3,18.0</geo><tim>2026-01-01T00:00:00+01</tim></lge><crd>sip:</crd><crd>gsm:+</crd>',
    );
    expect(read(xml).fields).toMatchObject({
      lge: { geo: '59.3,18.0', tim: '2026-01-01T00:00:00+01' },
      crd: ['sip:', 'gsm:+'],
    });
  });
});

describe('the event', () => {
  const event = (inner: string) => alarmEventOf(read(body(inner)));

  it('keeps native codes as sent and translates them as integers', () => {
    expect(event('<stc>9</stc><lco>21</lco>')).toMatchObject({
      statusCode: { native: '9', send: 'alarm', receive: 'alarm' },
      location: { native: '21', send: 'kitchen', receive: 'kitchen' },
      systemConfig: { native: null, receive: 'localUnitAndController' },
    });
    expect(event('').statusCode).toEqual({ native: null, send: 'alarmManual', receive: 'alarmManual' });
  });

  it('says unknown for a code without a word', () => {
    const received = receivedForm(event('<stc>0002</stc><lco>095</lco>'));
    expect(received).toMatchObject({ statusCode: 'unknown', location: 'unknown' });
  });

  it('is cleared by a reset, whatever status it repeats', () => {
    expect(event('<mty>RE</mty><stc>0010</stc>').statusCode).toEqual({
      native: '0010',
      send: 'cancel',
      receive: 'cleared',
    });
    expect(receivedForm(event('<stc>19</stc>')).statusCode).toBe('cleared');
  });

  it.each([
    ['<crd>no-voice:</crd>', 'none', undefined],
    ['<crd>no-voice:</crd><crd>sip:</crd>', 'duplex', undefined],
    ['<crd>gsm:+</crd>', 'duplex', undefined],
    ['<crd>gsm:+</crd><crd>tel:+4670</crd>', 'duplex', 'tel:+4670'],
    ['<crd>sip-pp:u@h</crd>', 'duplex', 'sip-pp:u@h'],
    ['', 'duplex', undefined],
  ])('%s gives audio %s', (crd, audio, callerId) => {
    expect({ audio: event(crd).audio, callerId: event(crd).callerId }).toEqual({ audio, callerId });
  });
});

describe('equal content', () => {
  it('does not depend on layout, and depends on every element', () => {
    const one = read('<mrq><ref>1</ref><cid>2</cid><dty>3</dty></mrq>').fingerprint;
    expect(read('<mrq>\n<dty>3</dty> <ref>1</ref><cid>2</cid></mrq>').fingerprint).toBe(one);
    expect(read('<mrq><ref>1</ref><cid>2</cid><dty>3</dty><zzz>1</zzz></mrq>').fingerprint).not.toBe(one);
    expect(read('<mrq><ref>1</ref><cid>2</cid><dty>3</dty><mty>IN</mty></mrq>').fingerprint).not.toBe(one);
  });
});

describe('a written request', () => {
  it('is read back', () => {
    const xml = encodeRequest({
      ref: 'A1',
      cid: '123',
      dty: '0005',
      mty: 'ME',
      did: '7<&"',
      crd: ['sip:a@b', 'gsm:'],
      stc: '0009',
      lge: { geo: '1,2' },
    });
    expect(read(xml)).toMatchObject({
      ref: 'A1',
      did: '7<&"',
      stc: '0009',
      media: [
        { kind: 'ip', scheme: 'sip', address: 'a@b' },
        { kind: 'mobile', scheme: 'gsm', address: '' },
      ],
      fields: { lge: { geo: '1,2' } },
    });
    expect(xml.indexOf('<cid>')).toBeLessThan(xml.indexOf('<dty>'));
  });
});
