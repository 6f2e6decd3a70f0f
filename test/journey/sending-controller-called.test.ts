import { describe, expect, it } from 'vitest';
import { allQuiet, answerCall, callbacksOf, keptPairs, VOICE } from '#test/support/sending.ts';
import { callsController, hears, ringing, says, turnAway } from '#test/support/sending-called.ts';

/* A centre of BS 8521 that calls the controller of a scheme, whose unit waits (protocols 14). */

const opened = keptPairs();

/** The centre's event: C = 4, event 057. */
const CENTRE = 'A41000000471100000570000000#';
/** Controller 12345678, unit 0042, a person has fallen in the bedroom. */
const ALARM = 'A11001234567800420210770000#';

/** The centre turns our call away; the next one is ten seconds off. */
async function waiting() {
  const all = await ringing(opened, { protocol: 'bs8521' }, VOICE);
  await turnAway(all.made, all.centre);
  return all;
}

describe('a centre that calls the controller of a BS 8521 scheme whose unit waits', () => {
  it('is asked who it is, asks for the alarm, selects the unit, and speaks with it', async () => {
    const { made, centre, unit, taken } = await waiting();
    const talk = await callsController(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, CENTRE, 'B');
    await says(made, centre, 'B', ALARM, { onMs: 1_000 });
    expect(callbacksOf(made.sender, 'alarmQueued')).toEqual([]);
    centre.audio.press('B');
    await made.until(() => callbacksOf(made.sender, 'alarmQueued').length === 1, 5_000);
    expect(callbacksOf(made.sender, 'alarmQueued')).toMatchObject([
      { sessionId: taken.sessionId, alarmString: ALARM },
    ]);
    expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
    await says(made, centre, 'A00042#', 'A004202107700#');
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

  it('and does not say who it is is asked four times, eight seconds apart, and gets the alarm when it asks for that', async () => {
    const { made, centre } = await waiting();
    await callsController(made, centre);
    for (let asked = 0; asked < 4; asked++) await hears(made, centre, '(B)');
    centre.audio.digits.splice(0);
    await made.after(10_000);
    expect(centre.audio.digits).toEqual([]);
    await says(made, centre, 'B', ALARM, { onMs: 600 });
  });

  it('and asks for the alarm at once needs no name', async () => {
    const { made, centre } = await waiting();
    await callsController(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, 'B', ALARM, { onMs: 600 });
  });

  it('and leaves before it has selected has taken nothing: it is called again, and no try of ours is spent', async () => {
    const { made, centre } = await waiting();
    const talk = await callsController(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, CENTRE, 'B');
    centre.inDialog(talk, 'BYE');
    await made.until(() => centre.has('INVITE'), 20_000);
    expect(callbacksOf(made.sender, 'alarmSendFailure')).toEqual([]);
  });

  it('with a string that cannot be read is asked again', async () => {
    const { made, centre } = await waiting();
    await callsController(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, CENTRE.slice(0, 12), '(B)');
    await says(made, centre, CENTRE, 'B');
  });
});
