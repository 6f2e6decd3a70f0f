import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type VconFacts, vconOf } from '#appliance/media/recording/index.ts';

const schema = z.fromJSONSchema(
  JSON.parse(readFileSync(new URL('../../../vectors/media/vcon.schema.json', import.meta.url), 'utf8')),
);
const START = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const facts: VconFacts = {
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

  it.each([
    ['a party that is no UUID', { parties: [{ uuid: 'seven' }, facts.parties[1]] }],
    ['no UUID of its own', { uuid: 'x' }],
  ])('would be found out with %s', (_, wrong) => {
    const document = vconOf({ ...facts, ...(wrong as Partial<VconFacts>) });
    expect(schema.safeParse(JSON.parse(JSON.stringify(document))).success).toBe(false);
  });

  it('names nobody who is not there', () => {
    const [dialog] = facts.dialogs;
    if (dialog === undefined) throw new Error('no dialog');
    expect(() => vconOf({ ...facts, dialogs: [{ ...dialog, parties: [2] }] })).toThrow('no party 2');
  });
});
