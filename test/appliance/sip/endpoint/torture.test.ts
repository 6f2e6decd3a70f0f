import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Flow, SipEndpoint } from '#appliance/sip/endpoint/index.ts';
import { isSip, parseMessage } from '#appliance/sip/message/index.ts';
import { capability, requestText, Stage, tcp, udp } from './stage.ts';

interface Expected {
  readonly name: string;
  readonly section: string;
  readonly shows: string;
  /** `deliver`: reaches the user; `response`: is read; `ignored`: leaves no trace; a number: is answered so. */
  readonly expect: 'deliver' | 'response' | 'ignored' | number;
  readonly user?: string;
  readonly host?: string;
  readonly port?: number;
  readonly method?: string;
  readonly reason?: string;
  readonly bodyLength?: number;
  readonly header?: readonly [string, string];
}

const wide = { ...capability, accept: [...capability.accept, 'multipart/mixed'] };
const folder = (set: string): string => join(import.meta.dirname, '../../../vectors/sip', set);
const read = (set: string): readonly Expected[] =>
  JSON.parse(readFileSync(join(folder(set), 'expected.json'), 'utf8')) as Expected[];

const flows: readonly (readonly [string, Flow])[] = [
  ['UDP', udp],
  ['TCP', tcp],
];

describe.each([
  ['torture', 'RFC 4475', 49],
  ['ipv6', 'RFC 5118', 12],
  ['crash', 'found by mutation, RFC 3261', 1],
])('vectors of %s (%s)', (set, _, count) => {
  const rows = read(set);
  const bytesOf = (name: string): Buffer => readFileSync(join(folder(set), `${name}.sip`));

  it('has one file for every row, and none is skipped', () => {
    const files = readdirSync(folder(set)).filter((name) => name.endsWith('.sip'));
    expect(files.sort()).toEqual(rows.map(({ name }) => `${name}.sip`).sort());
    expect(rows).toHaveLength(count);
  });

  describe.each(flows)('by %s', (_transport, flow) => {
    it.each(rows)('$name ($section): $shows', (row) => {
      const stage = new Stage({ capability: wide });
      stage.receive(cut(bytesOf(row.name), flow), flow);
      const { sent, delivered } = stage;
      expect(stage.defects).toEqual([]);
      if (typeof row.expect === 'number') {
        expect(delivered).toHaveLength(0);
        expect(sent.map(({ bytes }) => bytes.toString().slice(0, 12))).toEqual([`SIP/2.0 ${row.expect} `]);
      } else {
        expect(sent).toHaveLength(0);
        expect(delivered).toHaveLength(row.expect === 'deliver' ? 1 : 0);
      }
      if (row.header !== undefined) expect(stage.responses()[0]?.header(row.header[0])).toBe(row.header[1]);
      delivered[0]?.server.respond({ status: 200 }, stage.nowMs);
      stage.receive(requestText({ method: 'OPTIONS', branch: 'z9hG4bKafter', callId: 'after' }));
      expect(stage.sent.at(-1)?.bytes.toString()).toContain('SIP/2.0 200 OK');
    });
  });

  it.each(rows)('$name is read right', (row) => {
    const parsed = parseMessage(bytesOf(row.name));
    if (row.expect === 'response') expect(parsed).toMatchObject({ ok: true, value: { kind: 'response' } });
    if (row.expect === 'deliver') expect(parsed).toMatchObject({ ok: true, value: { kind: 'request' } });
    if (!parsed.ok) return;
    const message = parsed.value;
    if (row.reason !== undefined) expect(message).toMatchObject({ reason: row.reason });
    if (row.method !== undefined) expect(message).toMatchObject({ method: row.method, contentLength: 0 });
    if (row.bodyLength !== undefined) expect(message.body).toHaveLength(row.bodyLength);
    if (message.kind === 'response' || !message.uri.ok || !isSip(message.uri.value)) return;
    if (row.user !== undefined) expect(message.uri.value.user).toBe(row.user);
    if (row.host !== undefined) expect(message.uri.value).toMatchObject({ host: row.host, port: row.port });
  });
});

/** Output of a framer: on a stream the bytes up to the end of the body; the rest is the next message. */
function cut(bytes: Buffer, flow: Flow): Buffer {
  const parsed = parseMessage(bytes);
  if (!flow.reliable || !parsed.ok) return bytes;
  const head = bytes.indexOf('\r\n\r\n') + 4;
  return bytes.subarray(0, head + parsed.value.contentLength);
}

it('answers Max-Forwards 0 with 483 where the request would be passed on', () => {
  const sent: string[] = [];
  const endpoint = new SipEndpoint({
    capability: { ...capability, forwards: () => true },
    random: (length) => new Uint8Array(length),
    nowMs: 0,
    effects: {
      send: (_, bytes) => sent.push(bytes.toString()),
      deliver: () => undefined,
      acknowledged: () => undefined,
      onDefect: (error) => {
        throw error;
      },
    },
  });
  endpoint.receive(udp, readFileSync(join(folder('torture'), 'zeromf.sip')), 0);
  expect(sent[0]).toMatch(/^SIP\/2.0 483 /);
});
