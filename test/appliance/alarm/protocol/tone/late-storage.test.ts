import { describe, expect, it } from 'vitest';
import type { CallRoom } from './call-room.ts';
import { GOOD, room } from './own-protocol.ts';

describe('a disk that is slower than the device waits', () => {
  /** The string is on its way to the disk. */
  const storing = () => {
    const call = room();
    call.disk = 'waits';
    call.run(600);
    call.send(GOOD);
    call.run(300);
    expect(call.of('event')).toHaveLength(1);
    return call;
  };
  const stored = (call: CallRoom) => call.input({ type: 'stored', at: call.now, ordinal: 0 });
  const acks = (call: CallRoom) => call.played.filter(([, tones]) => tones === 'D 80').length;

  it('acknowledges up to the last millisecond of its budget', () => {
    const call = room();
    call.disk = 'waits';
    call.run(600);
    call.send('A1230');
    call.tone({ digit: '6', ms: 80 });
    while (call.of('event').length === 0) call.run(1);
    call.run(200);
    stored(call);
    expect(acks(call)).toBe(1);
  });

  it('gets no acknowledge; what the device says again gets it, is no second event, and speech follows', () => {
    const call = storing();
    call.run(300);
    stored(call);
    expect(acks(call)).toBe(0);
    call.run(1_000);
    call.send(GOOD);
    call.run(1_000);
    expect(acks(call)).toBe(1);
    expect(call.of('event')).toHaveLength(1);
    expect(call.of('ready')).toHaveLength(1);
  });

  it('does not speak into the repeat: that is acknowledged at its end', () => {
    const call = storing();
    call.run(400);
    call.send('A12');
    stored(call);
    expect(acks(call)).toBe(0);
    call.send('306');
    call.run(400);
    expect(acks(call)).toBe(1);
    expect(call.of('event')).toHaveLength(1);
  });

  it('counts from the last time that the string was said', () => {
    const call = storing();
    call.run(400);
    call.send(GOOD);
    call.run(200);
    stored(call);
    expect(acks(call)).toBe(1);
  });

  it('opens speech also for a device that does not repeat', () => {
    const call = storing();
    call.run(500);
    stored(call);
    call.run(2_900);
    expect(call.of('ready')).toEqual([]);
    call.run(200);
    expect(call.of('ready')).toHaveLength(1);
    expect(acks(call)).toBe(0);
    call.send(GOOD);
    call.run(400);
    expect(acks(call)).toBe(1);
  });

  it('keeps speech off the string that is being received', () => {
    const call = storing();
    call.run(500);
    stored(call);
    call.run(2_700);
    call.send('A12');
    expect(call.of('ready')).toEqual([]);
    call.send('306');
    call.run(1_000);
    expect(acks(call)).toBe(1);
    expect(call.of('ready')).toHaveLength(1);
  });

  it('takes the repeat that began while it failed as the alarm', () => {
    const call = storing();
    call.send('A12');
    call.input({ type: 'storeFailed', at: call.now, ordinal: 0 });
    call.send('306');
    call.run(400);
    expect(call.of('event').map(({ ordinal, source }) => [ordinal, source.raw])).toEqual([
      [0, GOOD],
      [0, GOOD],
    ]);
  });

  it('is signalled to the device by the profile: one that waits longer gets its acknowledge', () => {
    const call = room({ ackWithinMs: 1_000 });
    call.disk = 'waits';
    call.run(600);
    call.send(GOOD);
    call.run(900);
    stored(call);
    expect(acks(call)).toBe(1);
  });
});
