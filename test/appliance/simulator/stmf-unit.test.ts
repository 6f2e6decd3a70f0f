import { describe, expect, it } from 'vitest';
import { ToneUnit, type ToneUnitProtocol } from '#appliance/simulator/index.ts';
import { must } from '#test/support/media.ts';

/** Heard one after the other: digits, those in sequential tones in brackets; what the unit then says. */
function saidTo(protocol: ToneUnitProtocol, digits: string): unknown[] {
  const unit = must(ToneUnit.of(protocol, '1234'));
  return [...digits.matchAll(/\((.)\)|(.)/g)].flatMap(([, sequential, digit]) =>
    unit.onSignal({ digit: sequential ?? digit ?? '', ms: 80, isStmf: sequential !== undefined }),
  );
}

describe('a simulated unit of TT92 that speaks in sequential tones', () => {
  it('is asked in them, and answers in them', () => {
    expect(saidTo('tt92-stmf', '(0)0#')).toEqual([
      {
        type: 'say',
        text: 'says its string',
        tones: [{ silenceMs: 80 }, { stmf: true, digits: 'D#10071234********000000' }],
      },
    ]);
  });

  it('does not hear a request in DTMF alone', () => {
    expect(saidTo('tt92-stmf', '0#0#')).toEqual([]);
  });

  it('is acknowledged in DTMF, and asked again without it', () => {
    expect(saidTo('tt92-stmf', '(0)0#B0')).toMatchObject([{ type: 'say' }, { type: 'acknowledged' }]);
    expect(saidTo('tt92-stmf', '(0)0#(0)0#')).toMatchObject([{ type: 'say' }, { type: 'say' }]);
  });

  it('is another one than the unit of DTMF', () => {
    expect(saidTo('tt92', '0#')).toMatchObject([{ tones: [{ digits: 'D#10071234********000000' }] }]);
  });

  it.each(['tt92', 'tt92-stmf', 'ttnew'] as const)('releases its line after clear-down: %s', (protocol) => {
    const unit = must(ToneUnit.of(protocol, '1234'));
    const hears = (digit: string, ms = 80, isStmf = false) => unit.onSignal({ digit, ms, isStmf });
    if (protocol === 'tt92-stmf') hears('0', 155, true);
    for (const digit of protocol === 'ttnew' ? 'DBDB' : '0#B0') hears(digit);
    expect([hears('*', 500), hears('#')]).toEqual([[], []]);
    expect(hears('#', 2_000)).toEqual([{ type: 'hangUp', afterMs: 2_000 }]);
  });
});
