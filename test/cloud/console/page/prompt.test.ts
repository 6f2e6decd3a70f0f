import { describe, expect, it } from 'vitest';
import { playersOf } from '#cloud/console/page/prompt/prompt-player.ts';
import { promptType, wavOf } from '#cloud/console/page/prompt/wav.ts';

describe('a recorded prompt', () => {
  it('is a WAV file of one channel with 16 bits, limited to full scale', () => {
    const file = wavOf(Float32Array.of(0, 1, -1, 2, 0.5), 16_000);
    const view = new DataView(file.buffer);
    const text = (from: number, to: number) => String.fromCharCode(...file.subarray(from, to));
    expect([text(0, 4), text(8, 16), text(36, 40)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
    expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([46, 10]);
    expect([view.getUint16(22, true), view.getUint32(24, true), view.getUint32(28, true)]).toEqual([
      1, 16_000, 32_000,
    ]);
    expect([44, 46, 48, 50, 52].map((at) => view.getInt16(at, true))).toEqual([
      0, 32_767, -32_767, 32_767, 16_384,
    ]);
  });
  it('has the media type of its name, and none that the storage refuses', () => {
    expect(['a.wav', 'b.MP3', 'menu/c.ogg', 'd.opus'].map(promptType)).toEqual([
      'audio/wav',
      'audio/mpeg',
      'audio/ogg',
      'audio/ogg',
    ]);
    expect(['a.flac', 'wav', ''].map(promptType)).toEqual([undefined, undefined, undefined]);
  });
});

describe('the services that play a prompt', () => {
  it('are those whose records name it, with their newest session', () => {
    const record = (recordId: string, at: number, receiver: string, prompts: readonly string[]) => ({
      ...{ recordId, at, receiver, receiverName: receiver.toUpperCase(), prompts },
    });
    const records = [
      record('r3', 3, 'menu', ['hello.wav', 'bye.wav']),
      record('r2', 2, 'door', ['hello.wav.old']),
      record('r1', 1, 'menu', ['hello.wav']),
    ];
    expect(playersOf('hello.wav', records)).toMatchObject([
      { id: 'menu', name: 'MENU', sessions: 2, last: { recordId: 'r3' } },
    ]);
    expect(playersOf('none.wav', records)).toEqual([]);
  });
});
