import { describe, expect, it } from 'vitest';
import {
  allQuiet,
  answerCall,
  keptPairs,
  type Pair,
  phoneAt,
  send,
  sendingPair,
  told,
  VOICE,
} from '#test/support/sending.ts';
import type { Telephone } from '#test/support/sip-telephone.ts';

/* A centre of BS 8521 that calls the controller of a scheme, whose unit waits (protocols 14). */

const opened = keptPairs();

/** Who the centre is: C = 4, event 057. */
const CENTRE = 'A41000000471100000570000000#';
/** Controller 12345678, unit 0042, somebody has fallen in the bedroom. */
const ALARM = 'A11001234567800420210770000#';

/** The centre turns our call away; the next one is ten seconds off. */
async function waiting() {
  const made = await sendingPair({ protocol: 'bs8521', destAddr: 'sip:centre@care.example' });
  opened.push(made);
  const centre = await phoneAt(made, 'sender', 'centre');
  const unit = await phoneAt(made, 'sender', 'unit');
  const taken = await send(made, {
    ...VOICE,
    sipFrom: '5005',
    alarmEvent: { deviceId: '0042', systemConfig: 'groupedSupervisorOffDuty', audio: 'duplex' },
  });
  await made.until(() => centre.has('INVITE'));
  centre.respond(centre.request('INVITE'), 486);
  await made.after(500);
  return { made, centre, unit, taken };
}

async function calls(made: Pair, centre: Telephone) {
  const talk = await centre.invite('5005', made.pump);
  await made.until(() => centre.has(200), 5_000);
  centre.acknowledge(talk, centre.response(200));
  return talk;
}

/** What the centre hears from now on ends with this; tones of 500 ms or more are in brackets. */
async function hears(made: Pair, centre: Telephone, expected: string) {
  let heard = '';
  const isHeard = () => {
    for (const { digit, ms } of centre.audio.digits.splice(0)) heard += ms < 500 ? digit : `(${digit})`;
    return heard.endsWith(expected);
  };
  await made.until(isHeard, 40_000).catch(() => expect(heard).toBe(expected));
}

/** Says it, and then hears this. */
async function says(made: Pair, centre: Telephone, text: string, expected: string, onMs = 80) {
  centre.audio.digits.splice(0);
  centre.audio.press(text, { onMs });
  await hears(made, centre, expected);
}

describe('a centre that calls the controller of a BS 8521 scheme whose unit waits', () => {
  it('is asked who it is, asks for the alarm, selects the unit, and speaks with it', async () => {
    const { made, centre, unit, taken } = await waiting();
    const talk = await calls(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, CENTRE, 'B');
    await says(made, centre, 'B', ALARM, 1_000);
    expect(told(made.sender, 'alarmQueued')).toEqual([]);
    centre.audio.press('B');
    await made.until(() => told(made.sender, 'alarmQueued').length === 1, 5_000);
    expect(told(made.sender, 'alarmQueued')).toMatchObject([
      { sessionId: taken.sessionId, alarmString: ALARM },
    ]);
    expect(told(made.sender, 'alarmSent')).toEqual([]);
    await says(made, centre, 'A00042#', 'A004202107700#');
    await made.until(() => told(made.sender, 'alarmSent').length === 1);
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
    // Nobody is called again.
    expect(centre.has('INVITE')).toBe(false);
    allQuiet(made);
  });

  it('and does not say who it is is asked four times, eight seconds apart, and told the alarm when it asks for that', async () => {
    const { made, centre } = await waiting();
    await calls(made, centre);
    for (let asked = 0; asked < 4; asked++) await hears(made, centre, '(B)');
    centre.audio.digits.splice(0);
    await made.after(10_000);
    expect(centre.audio.digits).toEqual([]);
    await says(made, centre, 'B', ALARM, 600);
  });

  it('and asks for the alarm at once needs no name', async () => {
    const { made, centre } = await waiting();
    await calls(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, 'B', ALARM, 600);
  });

  it('and leaves before it has selected has taken nothing: it is called again, and no try of ours is spent', async () => {
    const { made, centre } = await waiting();
    const talk = await calls(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, CENTRE, 'B');
    centre.inDialog(talk, 'BYE');
    await made.until(() => centre.has('INVITE'), 20_000);
    expect(told(made.sender, 'alarmSendFailure')).toEqual([]);
  });

  it('with a string that cannot be read is asked again', async () => {
    const { made, centre } = await waiting();
    await calls(made, centre);
    await hears(made, centre, '(B)');
    await says(made, centre, CENTRE.slice(0, 12), '(B)');
    await says(made, centre, CENTRE, 'B');
  });
});
