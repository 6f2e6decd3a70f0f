import { describe, expect, it } from 'vitest';
import { MediaStreamWriter, readMessage } from '#appliance/media/stream/index.ts';
import vectors from '#test/vectors/media/media-stream.json' with { type: 'json' };

const names = { streamSid: 's1', accountSid: 'care.example', callSid: 'c1' };

describe('messages to the program', () => {
  it('are those of the vector, numbered from the start', () => {
    const writer = new MediaStreamWriter(names);
    const said = [
      writer.write({ event: 'connected' }),
      writer.write({
        event: 'start',
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000 },
        customParameters: { language: 'sv' },
      }),
      writer.write({
        event: 'media',
        track: 'inbound',
        chunk: 1,
        timestampMs: 0,
        payload: Uint8Array.from([0xff, 0x7f, 0x00]),
      }),
      writer.write({ event: 'dtmf', track: 'inbound', digit: '5' }),
      writer.write({ event: 'mark', name: 'greeting' }),
      writer.write({ event: 'stop' }),
    ];
    expect(said.map((each) => JSON.parse(each))).toEqual(vectors.toProgram);
  });
});

describe('messages of the program', () => {
  it.each(vectors.fromProgram)('$name', ({ text, read }) => {
    const message = readMessage(text, 's1');
    const shown = message?.event === 'media' ? { ...message, payload: [...message.payload] } : message;
    expect(shown ?? null).toEqual(read);
  });
});
