import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  encodeTimestamp,
  frameOf,
  type Outgoing,
  type SendInput,
  sending,
  stepSending,
} from '#appliance/alarm/protocol/dc09/index.ts';
import { encodeFrame, type Frame, FrameReader } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { aesCbc } from '#appliance/io/frame-listener/index.ts';

const sealing = {
  aes: aesCbc,
  random: (size: number) => createHash('sha256').update(String(size)).digest().subarray(0, size),
};
const NOW = Date.UTC(2026, 4, 1, 12, 0, 0);
const plain: Outgoing = {
  token: 'SIA-DCS',
  sequence: '0042',
  line: '0',
  account: '1234',
  data: '#1234|NBA01',
};

function answer(body: string): SendInput {
  const [found] = new FrameReader().push(encodeFrame(Buffer.from(body, 'latin1')));
  if (found?.kind !== 'frame') throw new Error('no frame');
  return { type: 'frame', wallMs: NOW, frame: found.frame satisfies Frame };
}

/** All effects of inputs in a row. */
function run(outgoing: Outgoing, ...inputs: readonly SendInput[]) {
  let state = sending(outgoing);
  return inputs.map((input) => {
    const step = stepSending(state, input, sealing);
    state = step.state;
    return step.effects;
  });
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const start: SendInput = { type: 'start', wallMs: NOW };
const timer: SendInput = { type: 'timer', wallMs: NOW };

describe('a frame that is sent to a receiver', () => {
  it('is done with the ACK of its sequence, and with no other', () => {
    const [first, other, own] = run(plain, start, answer('"ACK"0041L0#1234[]'), answer('"ACK"0042L0#1234[]'));
    expect(first?.map(({ type }) => type)).toEqual(['send', 'startTimer']);
    expect(other).toEqual([]);
    expect(own).toEqual([{ type: 'stopTimer' }, { type: 'done', offsetMs: 0 }]);
  });

  it('is tried four times in five seconds each, with the same sequence, and then given up', () => {
    const effects = run(plain, start, timer, timer, timer, timer);
    const sent = effects.flat().filter((effect) => effect.type === 'send');
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map(({ bytes }) => text(bytes))).size).toBe(1);
    expect(effects[0]).toContainEqual({ type: 'startTimer', ms: 5_000 });
    expect(effects.at(-1)).toContainEqual({
      type: 'failed',
      warning: 'noAnswer',
      reason: 'no answer to 4 tries of frame 0042',
    });
  });

  it('goes out again with the time of a NAK, once', () => {
    const nak = answer(`"NAK"0000R0L0A0[]${encodeTimestamp(NOW + 7_000)}`);
    const [, corrected, again] = run(plain, start, nak, nak);
    const sent = corrected?.find((effect) => effect.type === 'send');
    expect(sent?.type === 'send' && text(sent.bytes)).toContain(encodeTimestamp(NOW + 7_000));
    expect(again).toContainEqual(expect.objectContaining({ type: 'failed', warning: 'rejected' }));
  });

  it('is refused by DUH', () => {
    const [, refused] = run(plain, start, answer('"DUH"0042L0#1234[]'));
    expect(refused).toContainEqual(expect.objectContaining({ type: 'failed', warning: 'rejected' }));
  });

  it('does not believe a plain acknowledge of an encrypted frame', () => {
    const key = new Uint8Array(16).fill(9);
    const [, forged] = run({ ...plain, key }, start, answer('"ACK"0042L0#1234[]'));
    expect(forged).toContainEqual(expect.objectContaining({ type: 'failed', warning: 'protocolError' }));
    const sealed = frameOf({ ...plain, token: 'NULL', data: '', key }, NOW, sealing);
    if (!sealed.ok) throw new Error(sealed.error.reason);
    const cipher = /\[([0-9A-F]+)/.exec(text(sealed.value))?.[1] ?? '';
    const [, real] = run({ ...plain, key }, start, answer(`"*ACK"0042L0#1234[${cipher}`));
    expect(real).toContainEqual({ type: 'done', offsetMs: 0 });
  });

  it('says that a key of a wrong length cannot encrypt', () => {
    expect(run({ ...plain, key: new Uint8Array(5) }, start)[0]).toContainEqual(
      expect.objectContaining({ type: 'failed', warning: 'protocolError' }),
    );
  });
});
