import { describe, expect, it } from 'vitest';
import { sentenceOf, spoken } from '#installer/command/operator/trace-sentence.ts';
import type { TraceStep } from '#shared/contract/session-record/index.ts';

const step = (kind: string, detail: TraceStep['detail'], hostId = 'gw-1'): TraceStep => ({
  ...{ at: 0, hostId, party: 'device', direction: 'in', kind, detail },
});
const received = (digit: string, hostId?: string) =>
  step('toneHeard', { digit, ms: 80, levelDbm0: -7 }, hostId);
const LEG = 'a61f7ddd-7aaf-446b-bcb9-72e25b38cb26.3';

describe('a step of a trace', () => {
  it.each([
    ['toneHeard', { digit: 'B', ms: 600 }, 'hears B of 600 ms'],
    ['toneHeard', { hz: 1_400, ms: 100 }, 'hears 1400 Hz of 100 ms'],
    [
      'tonePlayed',
      { tones: [{ digit: 'A', ms: 250 }, { silenceMs: 80 }, { digit: 'D', ms: 80 }] },
      'plays A of 250 ms, D of 80 ms',
    ],
    ['deviceCommand', { command: 'clearDown' }, 'commands the device: clearDown'],
    ['deviceAnswered', { ref: '1', snu: 0, parts: [] }, 'answers the device: ref 1, snu 0'],
    ['voiceJoined', { leg: LEG }, 'joins the speech of leg 3'],
    [
      'mediaEnded',
      { leg: LEG, codec: 'PCMA', mos: 4.369, received: { packets: 212, lost: 1, jitterMs: 0.8855 } },
      'audio of leg 3 ended: PCMA, 212 packets received, 1 lost, jitter 0.9 ms, MOS 4.4',
    ],
    [
      'mediaMeasured',
      {
        ...{ leg: LEG, everyMs: 5_000, lastMs: 2_000, received: [250, 240, 100], sent: [250, 250, 100] },
        ...{ lost: [0, 10, 0], late: [0, 0, 0], concealedMs: [0, 200, 0], jitterMs: [0.1, 4.2, 3] },
        ...{ latenessMs: [0.1, 0.2, 1.5], levelDbm0: [-20.5, null, -31], sentLevelDbm0: [null, null, null] },
      },
      'audio of leg 3 in the last 12.0 s: 590 packets received, 10 lost in 1 of 3 windows, jitter up to 4.2 ms, lateness up to 1.5 ms, level -31 to -20.5 dBm0',
    ],
    [
      'handshake',
      { protocol: 'bs8521', result: 'first', requests: 1, badStrings: 0, levelDbm0: -7 },
      'bs8521 handshake: first, requests 1, bad strings 0, level -7 dBm0',
    ],
    ['alarmRaised', { type: 'unknownDevice' }, 'raises unknownDevice'],
    ['laterKind', { a: 1 }, 'laterKind {"a":1}'],
  ])('%s %j', (kind, detail, sentence) => {
    expect(sentenceOf(step(kind, detail))).toBe(sentence);
  });

  it('is one string for digits in a row, per host', () => {
    const steps = [
      received('A'),
      received('0'),
      received('1'),
      received('2', 'gw-2'),
      step('stored', { tookMs: 3 }),
    ];
    expect([...spoken(steps)].map(([, sentence]) => sentence)).toEqual([
      'hears the digits A01',
      'hears 2 of 80 ms',
      'has it on disk after 3.0 ms',
    ]);
  });
});
