import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type VconInfo, vconOf } from '#appliance/media/recording/index.ts';

const schema = z.fromJSONSchema(
  JSON.parse(readFileSync(new URL('../../../vectors/media/vcon.schema.json', import.meta.url), 'utf8')),
);
type Json = Record<string, unknown>;
const first = ({ dialog }: Json): Json => (dialog as Json[])[0] ?? {};
const event = (vcon: Json): Json => (first(vcon).party_history as Json[])[0] ?? {};

const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const facts: VconInfo = {
  uuid: '018f0000-0000-8000-8000-000000000001',
  subject: 'alarm 0042',
  createdAtMs: START + 61_000,
  parties: [
    {
      name: 'Flat 7',
      uuid: '018f0000-0000-8000-8000-00000000000a',
      type: 'device',
      sip: 'sip:7@example.com',
    },
    { uuid: '018f0000-0000-8000-8000-00000000000b', type: 'operator' },
  ],
  dialogs: [
    {
      uuid: '018f0000-0000-8000-8000-000000000c01',
      startMs: START,
      durationMs: 60_020,
      parties: [0, 1],
      originator: 0,
      file: 'alarm.mp3',
      url: 'https://site.example.com/recording/alarm.mp3',
      sha512: new Uint8Array(64).fill(0xfb),
      digits: [
        {
          party: 0,
          direction: 'receive',
          digit: '#',
          offsetMs: 1_500,
          durationMs: 79.6,
          toneType: 'inaudio',
        },
        { party: 1, direction: 'send', digit: 'A', offsetMs: 2_000, durationMs: 100, toneType: '2833' },
      ],
    },
  ],
};

describe('a vCon', () => {
  it('has the words of a recording as an analysis of its dialog', () => {
    const [dialog] = facts.dialogs;
    if (dialog === undefined) throw new Error('no dialog');
    const transcript = {
      lines: [
        { channel: 1, offsetMs: 1_500, durationMs: 900, text: 'Hello', confidence: 0.8, recogniser: 'local' },
      ],
      missed: 2,
    };
    const document = vconOf({ ...facts, dialogs: [{ ...dialog, transcript }] });
    const [analysis] = document.analysis ?? [];
    expect(analysis).toMatchObject({
      ...{ type: 'transcript', dialog: 0, vendor: 'carillon', product: 'local' },
      ...{ mediatype: 'application/json', encoding: 'json' },
    });
    expect(JSON.parse(String(analysis?.body))).toEqual({
      lines: [{ party: 1, offset: 1.5, duration: 0.9, text: 'Hello', confidence: 0.8 }],
      missed: 2,
    });
    expect(schema.parse(JSON.parse(JSON.stringify(document)))).toBeTruthy();
    expect(vconOf(facts)).not.toHaveProperty('analysis');
  });

  it('is as the draft and document 2 want it', () => {
    const document = vconOf(facts);
    expect(schema.parse(JSON.parse(JSON.stringify(document)))).toBeTruthy();
    expect(document).toMatchObject({
      uuid: facts.uuid,
      subject: 'alarm 0042',
      created_at: '2026-01-02T03:05:06.678Z',
      parties: facts.parties,
    });
    expect(document.dialog).toEqual([
      {
        type: 'recording',
        start: '2026-01-02T03:04:05.678Z',
        uuid: '018f0000-0000-8000-8000-000000000c01',
        parties: [0, 1],
        originator: 0,
        party_history: [
          {
            event: 'dtmf',
            party: 0,
            direction: 'receive',
            data: { digit: '#', duration: 80, toneType: 'inaudio' },
            time: '2026-01-02T03:04:07.178Z',
          },
          {
            event: 'dtmf',
            party: 1,
            direction: 'send',
            data: { digit: 'A', duration: 100, toneType: '2833' },
            time: '2026-01-02T03:04:07.678Z',
          },
        ],
        content_hash: `sha512-${'-_v7'.repeat(21)}-w`,
        duration: 60.02,
        mediatype: 'audio/mpeg',
        fileName: 'alarm.mp3',
        filename: 'alarm.mp3',
        url: 'https://site.example.com/recording/alarm.mp3',
      },
    ]);
  });

  /* Demands of the draft on an unsigned vCon with recordings, rule by rule: the document without it is none. */
  it.each([
    ['4.1.2 uuid MUST be there', (vcon: Json) => delete vcon.uuid],
    ['4.1.5 created_at MUST be present', (vcon: Json) => delete vcon.created_at],
    ['4.1.5 it is an RFC 3339 date', (vcon: Json) => (vcon.created_at = 1_770_000_000)],
    ['4.1.1 the version is that of the syntax', (vcon: Json) => (vcon.vcon = '0.0.2')],
    ['4.1.10 parties is an array', (vcon: Json) => (vcon.parties = {})],
    ['4.3.1 a dialog has a type', (vcon: Json) => delete first(vcon).type],
    ['4.3.1 of those there are', (vcon: Json) => (first(vcon).type = 'call')],
    ['4.3.2 and a start', (vcon: Json) => delete first(vcon).start],
    ['4.3.3 duration is in seconds, not below 0', (vcon: Json) => (first(vcon).duration = -1)],
    ['4.3.4 parties are indexes', (vcon: Json) => (first(vcon).parties = ['flat 7'])],
    ['2.4 what lies outside has a url', (vcon: Json) => delete first(vcon).url],
    ['2.4 and a hash', (vcon: Json) => delete first(vcon).content_hash],
    [
      '2.4.2 by SHA-512, base64url without padding',
      (vcon: Json) => (first(vcon).content_hash = `sha512-${'0a'.repeat(64)}`),
    ],
    ['2.4.2 the algorithm stands before it', (vcon: Json) => (first(vcon).content_hash = '-_v7'.repeat(21))],
    ['4.3.9 an event has its party', (vcon: Json) => delete event(vcon).party],
    ['4.3.9 its time', (vcon: Json) => delete event(vcon).time],
    ['4.3.9 and its kind', (vcon: Json) => (event(vcon).event = 'pressed')],
  ])('%s', (_, breaks) => {
    const document = JSON.parse(JSON.stringify(vconOf(facts))) as Json;
    expect(schema.safeParse(document).success).toBe(true);
    breaks(document);
    expect(schema.safeParse(document).success).toBe(false);
  });

  it('names who began it, the first party too', () => {
    const began = (originator: number) =>
      vconOf({ ...facts, dialogs: facts.dialogs.map((each) => ({ ...each, originator })) }).dialog[0]
        ?.originator;
    expect([began(0), began(1)]).toEqual([0, 1]);
  });

  it('names its extension, because it says more than the draft knows', () => {
    const known = new Set([
      'type',
      'start',
      'duration',
      'parties',
      'originator',
      'mediatype',
      'filename',
      'url',
      'content_hash',
      'party_history',
    ]);
    const document = JSON.parse(JSON.stringify(vconOf(facts))) as Json;
    expect(
      Object.keys(first(document))
        .filter((name) => !known.has(name))
        .sort(),
    ).toEqual(['fileName', 'uuid']);
    expect(document.extensions).toEqual(['alarm_audit']);
  });

  it.each([
    ['a party that is no UUID', { parties: [{ uuid: 'seven' }, facts.parties[1]] }],
    ['no UUID of its own', { uuid: 'x' }],
  ])('would be found out with %s', (_, wrong) => {
    const document = vconOf({ ...facts, ...(wrong as Partial<VconInfo>) });
    expect(schema.safeParse(JSON.parse(JSON.stringify(document))).success).toBe(false);
  });

  it('names no absent party', () => {
    const [dialog] = facts.dialogs;
    if (dialog === undefined) throw new Error('no dialog');
    expect(() => vconOf({ ...facts, dialogs: [{ ...dialog, parties: [2] }] })).toThrow('no party 2');
  });
});
