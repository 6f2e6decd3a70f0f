import { describe, expect, it } from 'vitest';
import type { Decision } from '#appliance/alarm/protocol/index.ts';
import { alarmResult, callResult } from '#appliance/engine/usage-watch.ts';

const sip = (cause: number) => ({ protocol: 'SIP', cause, text: '' }) as const;
const q850 = (cause: number) => ({ protocol: 'Q.850', cause, text: '' }) as const;
const predefined: Decision = { kind: 'predefined', direction: 'duplex' };

describe('the result of an alarm', () => {
  it.each([
    ['handled', { kind: 'noVoice' }, 'handled'],
    ['callCleared', predefined, 'emergency'],
    ['voiceMissing', predefined, 'emergency'],
    ['interrupted', predefined, 'emergency'],
    ['notHandled', { kind: 'notHandled', reason: '' }, 'failed'],
    ['deviceGone', { kind: 'notHandled', reason: '' }, 'failed'],
    ['deviceGone', null, 'failed'],
    ['notStored', null, 'failed'],
    ['cleared', null, 'handled'],
    ['cleared', predefined, 'emergency'],
  ] as const)('%s, decided %j: %s', (outcome, decision, result) => {
    expect(alarmResult({ outcome, decision })).toBe(result);
  });
});

describe('the result of a call', () => {
  it.each([
    [true, q850(16), 'answered'],
    [true, sip(200), 'answered'],
    [false, sip(486), 'busy'],
    [false, sip(600), 'busy'],
    [false, sip(408), 'noAnswer'],
    [false, sip(480), 'noAnswer'],
    [false, sip(487), 'noAnswer'],
    [false, q850(16), 'noAnswer'],
    [false, q850(17), 'busy'],
    [false, sip(404), 'failed'],
    [false, sip(503), 'failed'],
    [false, q850(38), 'failed'],
    // The ringing call goes on with another party.
    [false, sip(200), undefined],
    [false, undefined, undefined],
  ] as const)('answered %j, %j: %s', (answered, end, result) => {
    expect(callResult(answered, end)).toBe(result);
  });
});
