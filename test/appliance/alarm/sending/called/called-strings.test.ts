import { describe, expect, it } from 'vitest';
import { BS8521_PROFILE, bs8521Protocol, encodeLine } from '#appliance/alarm/protocol/bs8521/index.ts';
import type { ProtocolEvent } from '#appliance/alarm/protocol/index.ts';
import { CalledStrings } from '#appliance/alarm/sending/called/called-strings.ts';
import { decodeBs8521 } from '#shared/alarm-event/index.ts';

const read = decodeBs8521('010012345678000001001000');
if (!read.ok) throw new Error(read.error.reason);
/** The string of a unit, as it is heard. */
const LINE = encodeLine(read.value);
/** Length of a tone, and of the pause behind it. */
const TONE_MS = 70;

function room() {
  const done: string[] = [];
  const events: ProtocolEvent[] = [];
  let nowMs = 1_000;
  const strings = new CalledStrings([{ protocol: bs8521Protocol(BS8521_PROFILE) }], {
    at: () => nowMs,
    play: (tones) =>
      void done.push(`play ${tones.map((tone) => ('digit' in tone ? tone.digit : '?')).join('')}`),
    event: (said) => {
      events.push(said);
      done.push(`event ${said.source.raw}`);
    },
    start: (timer) => void done.push(`start ${timer}`),
    stop: () => undefined,
    trace: () => undefined,
    taken: () => void done.push('taken'),
    notTaken: () => void done.push('not taken'),
  });
  return {
    strings,
    done,
    events,
    /** Digits as the media engine reports them, each with its begin and its end. */
    tones: (line: string) => {
      for (const digit of line) {
        const digitAt = { kind: 'digit', leg: 'leg', digit, source: 'inband', atMs: nowMs } as const;
        strings.onSound({ ...digitAt, edge: 'begin' } as never);
        nowMs += TONE_MS;
        strings.onSound({ ...digitAt, edge: 'end', durationMs: TONE_MS } as never);
        nowMs += TONE_MS;
      }
    },
    pause: (forMs: number) => {
      const endMs = nowMs - TONE_MS;
      nowMs = endMs + forMs;
      strings.onSound({ kind: 'pause', leg: 'leg', atMs: endMs, forMs } as never);
    },
  };
}

describe('the strings of a device that we have called', () => {
  it('begin with a question neither of ours nor a time for one', () => {
    expect(room().done).toEqual([]);
  });

  it('are an event each, which is acknowledged once it is on the disk', () => {
    const { strings, done, events, tones, pause } = room();
    tones(LINE);
    pause(180);
    expect(done.filter((one) => one.startsWith('event'))).toHaveLength(1);
    expect(events[0]?.source.raw).toContain(LINE);
    expect(done.some((one) => one.startsWith('play'))).toBe(false);
    done.length = 0;
    strings.stored(true, events[0]?.ordinal ?? -1);
    expect(done).toEqual(expect.arrayContaining([expect.stringMatching(/^play/), 'taken']));
    expect(done.filter((one) => one === 'taken')).toHaveLength(1);
  });

  it('that were stored too late get no acknowledge: the device says them again', () => {
    const { strings, done, events, tones, pause } = room();
    tones(LINE);
    pause(1_000);
    done.length = 0;
    strings.stored(true, events[0]?.ordinal ?? -1);
    expect(done).toEqual([]);
    tones(LINE);
    pause(180);
    expect(events).toHaveLength(1);
    expect(done).toEqual(expect.arrayContaining([expect.stringMatching(/^play/), 'taken']));
  });

  it('that could not be stored get no acknowledge', () => {
    const { strings, done, events, tones, pause } = room();
    tones(LINE);
    pause(1_000);
    done.length = 0;
    strings.stored(false, events[0]?.ordinal ?? -1);
    expect(done.filter((one) => !one.startsWith('start'))).toEqual(['not taken']);
  });

  it('that the machine of a controller has read are an event as well', () => {
    const { strings, events } = room();
    strings.said(LINE);
    strings.onSound({ kind: 'pause', leg: 'leg', atMs: 24 * 160, forMs: 1_000 } as never);
    expect(events.map(({ source }) => source.raw)).toEqual([expect.stringContaining(LINE)]);
  });

  it('that are no alarm of their protocol are no event', () => {
    const { events, tones, pause } = room();
    tones('12345');
    pause(1_000);
    expect(events).toEqual([]);
  });

  it('are read no more after the device has hung up', () => {
    const { strings, done, events, tones, pause } = room();
    strings.hungUp();
    done.length = 0;
    tones(LINE);
    pause(1_000);
    expect(events).toEqual([]);
    expect(done.some((one) => one.startsWith('play'))).toBe(false);
  });
});
