import { describe, expect, it } from 'vitest';
import { allQuiet, answerCall, callbacksOf, keptPairs, VOICE } from '#test/support/sending.ts';
import { callsController, ringing, says, turnAway } from '#test/support/sending-called.ts';

const opened = keptPairs();

/** A centre that does not answer our call: a unit of a scheme waits for it. */
const waiting = () => ringing(opened, { protocol: 'ttnew' }, VOICE);

describe('a centre that calls the controller of a TT scheme whose unit waits', () => {
  it('learns the unit, selects it, and speaks with it', async () => {
    const { made, centre, unit, taken } = await waiting();
    await turnAway(made, centre);
    const talk = await callsController(made, centre);
    await says(made, centre, 'DA', 'DB');
    await says(made, centre, 'DDDA', '6D42DDDD');
    expect(callbacksOf(made.sender, 'alarmQueued')).toMatchObject([
      { sessionId: taken.sessionId, alarmString: '6D42DDDD' },
    ]);
    expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
    await says(made, centre, 'D42B', '1DDDD42A');
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    await answerCall(made, unit);
    await made.after(1_500);
    centre.audio.digits.splice(0);
    unit.audio.press('5');
    await made.after(800);
    expect(centre.audio.digits.map(({ digit }) => digit)).toEqual(['5']);
    centre.inDialog(talk, 'BYE');
    await made.until(() => unit.has('BYE'), 20_000);
    unit.respond(unit.request('BYE'), 200);
    await made.after(15_000);
    // The appliance calls no party again.
    expect(centre.has('INVITE')).toBe(false);
    allQuiet(made);
  });

  it('while our call to it rings is taken instead of that', async () => {
    const { made, centre } = await waiting();
    const ours = centre.request('INVITE');
    centre.respond(ours, 180);
    await made.after(500);
    await callsController(made, centre);
    await made.until(() => centre.has('CANCEL'), 5_000);
    centre.respond(centre.request('CANCEL'), 200);
    centre.respond(ours, 487);
    await says(made, centre, 'DA', 'DB');
    await says(made, centre, 'DDDA', '6D42DDDD');
    await says(made, centre, 'D42B', '1DDDD42A');
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
  });

  it('and leaves without a select has taken nothing: it is called again, and no try of ours is spent', async () => {
    const { made, centre } = await waiting();
    await turnAway(made, centre);
    const talk = await callsController(made, centre);
    await says(made, centre, 'DA', 'DB');
    centre.inDialog(talk, 'BYE');
    await made.until(() => centre.has('INVITE'), 20_000);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
  });

  it('calls another number: that call is none of ours', async () => {
    const { made, centre } = await waiting();
    await turnAway(made, centre);
    await centre.invite('5006', made.pump);
    await made.until(() => centre.has(404), 5_000);
  });
});
