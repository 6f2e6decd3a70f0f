import { describe, expect, it } from 'vitest';
import { switchboard } from '#appliance/simulator/endpoint/switchboard.ts';
import { callDecisionSchema, ivrCommandSchema } from '#shared/contract/callback/index.ts';

const command = (digits?: string) =>
  ivrCommandSchema.parse(
    switchboard('/getIvrCommand', {
      ...(digits !== undefined && {
        dtmfParams: { dtmfMatch: digits, reason: 'maxDigits' },
        lastCommandResult: {},
      }),
    }),
  );
const decision = (path: string, body: object = {}) =>
  callDecisionSchema.parse(switchboard(path, { ...body }));

describe('the menu of the demo application', () => {
  it('answers every call with an IVR', () => {
    expect(decision('/newCall')).toMatchObject({ action: 'ivr' });
    expect(command().phrases).toHaveLength(1);
    expect(command('9').dtmf).toMatchObject({ maxDigits: 1 });
  });

  it('1: the operator, until a party hangs up; the menu again without an answer', () => {
    const { hangup, sessionReferenceId } = command('1');
    expect(hangup).toBe(true);
    const call = decision('/callEvent', { sessionReferenceId });
    expect(call).toMatchObject({ action: 'call', destAddr: 'operator' });
    const { sessionReferenceId: talking } = call;
    expect(decision('/callEvent', { sessionReferenceId: talking })).toMatchObject({ action: 'drop' });
    expect(decision('/callEvent', { sessionReferenceId: talking, sipStatus: 486 })).toMatchObject({
      action: 'ivr',
    });
  });

  it('2: echo, 3: tones', () => {
    expect(command('2')).toMatchObject({ echo: true, getIVRCommandAfter: 10 });
    expect(command('3').phrases).toHaveLength(3);
  });

  it('says nothing to records', () => {
    expect(switchboard('/callAnswered', {})).toBeUndefined();
  });
});
