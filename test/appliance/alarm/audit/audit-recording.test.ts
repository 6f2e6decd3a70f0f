import { describe, expect, it } from 'vitest';
import { AuditRecording, CENTRE, DEVICE } from '#appliance/alarm/audit/audit-recording.ts';
import type { Tone } from '#appliance/alarm/protocol/tone/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';

const START_MS = 1_000_000;

const digit = (over: Partial<Extract<MediaEvent, { kind: 'digit' }>> = {}): MediaEvent =>
  ({
    kind: 'digit',
    leg: 'device',
    digit: '7',
    edge: 'end',
    atMs: 0,
    durationMs: 80,
    source: 'inband',
    ...over,
  }) as MediaEvent;

describe('an audit recording of tones', () => {
  const received = {
    party: DEVICE,
    direction: 'receive',
    digit: '7',
    offsetMs: 420,
    durationMs: 80,
    toneType: 'inaudio',
  };

  it.each([
    { title: 'a digit of the device', event: digit(), kept: [received] },
    {
      title: 'a digit of the people',
      event: digit({ leg: 'people' }),
      kept: [{ ...received, party: CENTRE }],
    },
    {
      title: 'an event of RFC 4733',
      event: digit({ source: 'event' as never }),
      kept: [{ ...received, toneType: '2833' }],
    },
    { title: 'its begin', event: digit({ edge: 'begin' }), kept: [] },
    { title: 'a sequential tone that was heard', event: digit({ stmf: 'heard' as never }), kept: [received] },
    { title: 'a sequential tone that was not', event: digit({ stmf: 'torn' as never }), kept: [] },
    { title: 'a pause', event: { kind: 'pause', leg: 'device', atMs: 0, forMs: 10 } as MediaEvent, kept: [] },
    {
      title: 'a digit that began before the recording',
      event: digit({ durationMs: 900 }),
      kept: [{ ...received, offsetMs: 0, durationMs: 900 }],
    },
  ])('$title: $kept.length', ({ event, kept }) => {
    const recording = new AuditRecording('device', START_MS);
    recording.onMediaEvent(event, START_MS + 500);
    expect(recording.digits).toEqual(kept);
  });

  it('places what we say one tone after the other, with the pauses and plain tones between', () => {
    const recording = new AuditRecording('device', START_MS);
    const tones: Tone[] = [
      { digit: 'B', ms: 200 },
      { silenceMs: 50 },
      { hz: 1_400, ms: 100 } as Tone,
      { digits: '12', onMs: 60, offMs: 40 },
    ];
    recording.said(tones, '2833', START_MS + 1_000);
    expect(
      recording.digits.map(({ digit: said, offsetMs, durationMs }) => [said, offsetMs, durationMs]),
    ).toEqual([
      ['B', 1_000, 200],
      ['1', 1_350, 60],
      ['2', 1_450, 60],
    ]);
    expect(
      new Set(recording.digits.map(({ party, direction, toneType }) => `${party} ${direction} ${toneType}`)),
    ).toEqual(new Set([`${DEVICE} send 2833`]));
  });

  it('keeps 2,000 digits of a device that never stops', () => {
    const recording = new AuditRecording('device', START_MS);
    for (let count = 0; count < 2_500; count++) recording.onMediaEvent(digit(), START_MS + count);
    expect(recording.digits).toHaveLength(2_000);
  });
});
