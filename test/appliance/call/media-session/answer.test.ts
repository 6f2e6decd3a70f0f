import { describe, expect, it } from 'vitest';
import { readCommand, readDecision } from '#appliance/call/media-session/index.ts';

const answered = (body: unknown, status = 200) =>
  ({ kind: 'answered', status, body: typeof body === 'string' ? body : JSON.stringify(body) }) as const;
const failed = { kind: 'failed', reason: 'no answer within callbackTimeout' } as const;

/** Which error goes with which answer (decisions 5, alarms). */
describe('an answer that is none', () => {
  it.each([
    ['newCall', failed, 'unreached', 'newCall request failed'],
    ['newCall', answered('', 500), 'unreached', 'newCall request failed'],
    ['newCall', answered({ action: 'drop' }, 404), 'unreached', 'newCall request failed'],
    ['newCall', answered('  '), 'unfit', 'newCall response empty'],
    ['newCall', answered({}), 'unfit', 'newCall response empty'],
    ['newCall', answered('<html>'), 'unfit', 'newCall response without action'],
    ['newCall', answered([1]), 'unfit', 'newCall response without action'],
    ['newCall', answered({ destAddr: '1' }), 'unfit', 'newCall response without action'],
    ['newCall', answered({ action: 7 }), 'unfit', 'newCall response with unknown action'],
    ['newCall', answered({ action: 'Drop' }), 'unfit', 'newCall response with unknown action'],
    ['newCall', answered({ action: 'call' }), 'unfit', 'newCall response with unknown action'],
    ['newCall', answered({ action: 'drop', dropCode: 200 }), 'unfit', 'newCall response with unknown action'],
    ['callEvent', failed, 'unreached', 'No response to callEvent request'],
    ['callEvent', answered(''), 'unfit', 'No action provided in callEvent response'],
    ['callEvent', answered({ a: 1 }), 'unfit', 'No action provided in callEvent response'],
    ['callEvent', answered({ action: 'x' }), 'unfit', 'callEvent response with unknown action'],
  ] as const)('%s %j is %s: %s', (of, outcome, kind, error) => {
    expect(readDecision(of, outcome)).toMatchObject({ kind, error, reason: expect.stringMatching(/./) });
  });

  it.each([
    [failed, 'getIvrCommand request error'],
    [answered('', 503), 'getIvrCommand request error'],
    [answered(''), 'Empty body in getIvrCommand response'],
    [answered('null'), 'IVR command failed'],
    [answered({ phrases: [{ format: 'song' }] }), 'IVR command failed'],
    [answered({ phrases: Array(10_000).fill({ format: 'silence', duration: 1 }) }), 'IVR command failed'],
    [answered({ dtmf: { pattern: '(' } }), 'IVR command failed'],
    [answered({ getIVRCommandAfter: -1 }), 'IVR command failed'],
  ] as const)('getIvrCommand %#: %s', (outcome, error) => {
    expect(readCommand(outcome)).toMatchObject({ error });
  });

  it('names the place that is wrong', () => {
    const read = readDecision('newCall', answered({ action: 'call', destAddr: '1', maxRingTime: -1 }));
    expect(read).toMatchObject({ reason: expect.stringContaining('/maxRingTime') });
  });

  it('takes numbers for texts, and properties it does not know', () => {
    const read = readDecision(
      'newCall',
      answered({ action: 'call', destAddr: 4_655, dropCode: '486', future: 1 }),
    );
    expect(read).toMatchObject({ kind: 'good', value: { destAddr: 4_655 } });
    expect(readCommand(answered({}))).toMatchObject({ kind: 'good' });
  });
});
