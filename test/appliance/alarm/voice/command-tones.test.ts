import { describe, expect, it } from 'vitest';
import { commandTones } from '#appliance/alarm/voice/command-tones.ts';
import type { DeviceCommand } from '#shared/alarm-event/index.ts';

type Context = Parameters<typeof commandTones>[2];
const of = (command: DeviceCommand, context: Partial<Context> & Pick<Context, 'protocol'>) =>
  commandTones(command, undefined, { grouped: false, ...context });

describe('a command in the tones of TT', () => {
  it.each([
    ['speak', { direction: 'C' }],
    ['listen', { direction: '*' }],
  ] as const)('%s sets the direction that a later keep-alive repeats', (command, expected) => {
    expect(of(command, { protocol: 'ttnew' })).toMatchObject({ ok: true, value: expected });
  });

  it('keepAlive says the last direction again, and listens where there was none', () => {
    const tones = (direction?: string) =>
      of('keepAlive', { protocol: 'ttnew', ...(direction && { direction }) });
    expect(tones('C')).toMatchObject({ value: { tones: [{ digit: 'C' }] } });
    expect(tones()).toMatchObject({ value: { tones: [{ digit: '*' }] } });
    // A digit that is no direction is not repeated.
    expect(tones('7')).toMatchObject({ value: { tones: [{ digit: '*' }] } });
  });

  it('a unit that stands alone echoes the switch of its speech, and is asked three times', () => {
    const made = of('switchToDuplex', { protocol: 'tt92' });
    const echo = made.ok && made.value.kind === 'tones' ? made.value.echo : undefined;
    expect(echo).toMatchObject({ tries: 3, waitMs: expect.any(Number) });
    expect([echo?.pattern.test('D701'), echo?.pattern.test('7012')]).toEqual([true, false]);
  });

  it('a unit behind a controller echoes nothing, and cannot be switched to duplex', () => {
    expect(of('switchToSimplex', { protocol: 'ttnew', grouped: true })).toMatchObject({
      value: { tones: [{ digit: 'C' }] },
    });
    expect(of('switchToSimplex', { protocol: 'ttnew', grouped: true })).not.toHaveProperty('value.echo');
    expect(of('switchToDuplex', { protocol: 'ttnew', grouped: true })).toMatchObject({
      error: { code: 'commandNotSupported' },
    });
  });
});

describe('a command in the tones of SCAIP', () => {
  it('that sets the direction says so; the others leave it as it is', () => {
    const speak = of('speak', { protocol: 'scaip' });
    expect(speak).toMatchObject({ ok: true, value: { direction: expect.stringMatching(/^[478]$/) } });
    expect(of('clearDown', { protocol: 'scaip' })).not.toHaveProperty('value.direction');
  });

  it('is silent as long as it sounds', () => {
    const made = of('speak', { protocol: 'scaip' });
    const [tone] = made.ok && made.value.kind === 'tones' ? made.value.tones : [];
    expect(tone).toMatchObject({ onMs: expect.any(Number) });
    expect((tone as { offMs: number }).offMs).toBe((tone as { onMs: number }).onMs);
  });
});

describe('a command in the tones of BS 8521', () => {
  it('is confirmed by B', () => {
    const made = of('speak', { protocol: 'bs8521' });
    const echo = made.ok && made.value.kind === 'tones' ? made.value.echo : undefined;
    expect(echo?.pattern.test('12B')).toBe(true);
    expect(echo?.acknowledge).toBeUndefined();
  });

  it('that it does not have is refused', () => {
    const made = of('keepAlive', { protocol: 'bs8521' });
    if (!made.ok) expect(made.error.code).toBe('commandNotSupported');
  });
});

describe('any other protocol', () => {
  it('is cleared by the end of its call, and takes no other command', () => {
    expect(of('clearDown', { protocol: 'p100' })).toEqual({ ok: true, value: { kind: 'hangUp' } });
    expect(of('speak', { protocol: 'p100' })).toMatchObject({
      error: { code: 'commandNotSupported', reason: expect.stringContaining('p100 has no tones for speak') },
    });
  });
});

describe('tones as the application gives them', () => {
  const given = (parameters: object | undefined) =>
    commandTones('sendTones', parameters, { protocol: 'p100', grouped: false });

  it.each([
    [{ toneString: '12a#' }, { digits: '12A#', onMs: 80, offMs: 80 }],
    [
      { toneString: '1', duration: 200 },
      { digits: '1', onMs: 200, offMs: 200 },
    ],
    // A pause that is too short joins two digits into one.
    [
      { toneString: '1', duration: 20 },
      { digits: '1', onMs: 20, offMs: 40 },
    ],
  ])('%j', (parameters, tone) => {
    expect(given(parameters)).toEqual({ ok: true, value: { kind: 'tones', tones: [tone] } });
  });

  it.each([
    [undefined],
    [{}],
    [{ toneString: '' }],
    [{ toneString: '12E' }],
    [{ toneString: '1'.repeat(65) }],
  ])('%j are refused', (parameters) => {
    expect(given(parameters)).toMatchObject({ error: { code: 'badTones' } });
  });
});
