import { deflateRawSync, deflateSync, inflateRawSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  acceptsContentType,
  childrenNamed,
  decodeContent,
  type Inflate,
  readFaultyXml,
  readXml,
  writeXml,
  XML_LIMITS,
} from '#appliance/alarm/protocol/xml-message/index.ts';

const nested = (depth: number) => `${'<b>'.repeat(depth)}${'</b>'.repeat(depth)}`;

describe('reading', () => {
  it('gives names without prefix, trimmed texts, and repeated elements in order', () => {
    const read = readXml(
      '<?xml version="1.0"?><!-- c --><n:a xmlns:n="x" k="v"><c> 1 </c><n:c>2</n:c><d/></n:a>',
    );
    expect(read).toEqual({
      ok: true,
      value: {
        name: 'a',
        text: '',
        children: [
          { name: 'c', text: '1', children: [] },
          { name: 'c', text: '2', children: [] },
          { name: 'd', text: '', children: [] },
        ],
      },
    });
    if (read.ok) expect(childrenNamed(read.value, 'c').map(({ text }) => text)).toEqual(['1', '2']);
  });

  it.each([
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&#229;&#xe5;', 'åå'],
    ['<![CDATA[<x>&amp;]]>', '<x>&amp;'],
    ['&unknown;', '&unknown;'],
    ['0012', '0012'],
    ['1e3', '1e3'],
  ])('text %s', (inner, text) => {
    expect(readXml(`<a>${inner}</a>`)).toMatchObject({ value: { text } });
  });

  it.each([['\r\n<?xml version="1.0"?><a/>'], ['<a/>\r\n\0\0'], ['\uFEFF<a/>']])(
    'white space and zero bytes around %j',
    (body) => {
      expect(readXml(body)).toMatchObject({ ok: true, value: { name: 'a' } });
    },
  );

  it.each([
    ['nothing', ''],
    ['text only', 'hello'],
    ['text before the root', 'hello<a/>'],
    ['two roots', '<a/><b/>'],
    ['mismatched tags', '<a><b></a></b>'],
    ['an open tag', '<a><b>'],
    ['constructor', '<a><constructor>1</constructor></a>'],
    ['__proto__', '<a><__proto__>1</__proto__></a>'],
    ['__proto__ as root', '<__proto__/>'],
    ['prototype', '<a><prototype/></a>'],
    ['a prefix that hides __proto__', '<a><n:__proto__/></a>'],
    ['nesting beyond 16', nested(18)],
    ['too many elements', `<a>${'<b/>'.repeat(600)}</a>`],
    ['too many attributes', `<a ${Array.from({ length: 1100 }, (_, i) => `b${i}=""`).join(' ')}/>`],
    ['too many entities', `<a>${'&amp;'.repeat(1100)}</a>`],
  ])('Malformed: %s', (_, body) => {
    expect(readXml(body)).toMatchObject({ ok: false, error: { code: 'Malformed' } });
  });

  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['in small letters', '<!doctype a><a/>'],
    ['with white space', '< ! DOCTYPE a><a/>'],
    ['behind bytes that do not belong there', '<\u0000!\u0001DOCTYPE a><a/>'],
  ])('Forbidden, however it is read: %s', (_, body) => {
    expect(readXml(body)).toMatchObject({ ok: false, error: { code: 'Forbidden' } });
    expect(readFaultyXml(body, { root: 'a', children: new Set(['b']) })).toBeUndefined();
  });

  it('takes nesting up to the limit and refuses bodies over it', () => {
    expect(readXml(nested(16)).ok).toBe(true);
    const longest = `<a>${'x'.repeat(XML_LIMITS.maxBytes - 7)}</a>`;
    expect(readXml(longest).ok).toBe(true);
    expect(readXml(`${longest} `)).toMatchObject({ error: { code: 'TooLarge' } });
    expect(readXml(`<a>${'å'.repeat(40_000)}</a>`)).toMatchObject({ error: { code: 'TooLarge' } });
  });

  it('leaves objects as they were', () => {
    readXml('<a><toString>1</toString><hasOwnProperty>2</hasOwnProperty><valueOf/></a>');
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
    expect(`${{}}`).toBe('[object Object]');
  });
});

describe('writing', () => {
  it('escapes, and leaves out what XML cannot hold', () => {
    const xml = writeXml({
      name: 'a',
      content: [{ name: 'b', content: '<&>"\'\u0000\u0007\uFFFEå😀\uD800' }],
    });
    expect(xml).toBe('<a><b>&lt;&amp;&gt;&quot;&apos;å😀</b></a>');
    expect(readXml(xml)).toMatchObject({ value: { children: [{ text: '<&>"\'å😀' }] } });
  });
});

describe('content', () => {
  it.each([
    ['application/scaip+xml', true],
    ['Application/SCAIP+XML; charset=utf-8', true],
    ['text/xml', true],
    ['text/plain', false],
    [undefined, false],
  ])('type %s', (type, accepted) => {
    expect(acceptsContentType(['application/scaip+xml', 'text/xml'], type)).toBe(accepted);
    expect(acceptsContentType(['*'], type)).toBe(true);
  });

  const inflate: Inflate = (bytes, maxBytes) => {
    for (const unpack of [inflateSync, inflateRawSync]) {
      try {
        return unpack(bytes, { maxOutputLength: maxBytes });
      } catch {
        // The other form, then.
      }
    }
    return undefined;
  };
  const body = Buffer.from('<mrq/>');

  it('is inflated, zlib or raw, up to the limit', () => {
    expect(decodeContent(body, undefined, inflate)).toEqual({ ok: true, value: body });
    expect(decodeContent(body, 'identity', inflate)).toEqual({ ok: true, value: body });
    expect(decodeContent(deflateSync(body), 'Deflate', inflate)).toEqual({ ok: true, value: body });
    expect(decodeContent(deflateRawSync(body), 'deflate', inflate)).toEqual({ ok: true, value: body });
    const broken = deflateSync(body).subarray(0, 6);
    expect(decodeContent(broken, 'deflate', inflate)).toMatchObject({ error: { code: 'Malformed' } });
    expect(decodeContent(broken, 'br', inflate)).toMatchObject({ error: { code: 'UnsupportedEncoding' } });
    const bomb = deflateSync(Buffer.alloc(10_000_000));
    expect(decodeContent(bomb, 'deflate', inflate)).toMatchObject({ error: { code: 'Malformed' } });
  });

  it('is what its first bytes say, whatever Content-Encoding says', () => {
    for (const encoding of [undefined, 'deflate', 'gzip', 'br'])
      expect(decodeContent(body, encoding, inflate)).toEqual({ ok: true, value: body });
    expect(decodeContent(deflateSync(body), undefined, inflate)).toEqual({ ok: true, value: body });
  });
});
