import { describe, expect, it } from 'vitest';
import {
  answerCall,
  callbacksOf,
  keptPairs,
  type Pair,
  send,
  VOICE,
  withPeople,
} from '#test/support/sending.ts';
import { hears as hearsTones, says as saysTones } from '#test/support/sending-called.ts';
import type { Telephone } from '#test/support/sip-telephone.ts';
import { isLoud } from '#test/support/tone/tone-line.ts';

/* The controller of a TT scheme that we call, so that its unit can be spoken with: we are the centre (protocols 6). */

const opened = keptPairs();

/** The receiver has taken an event of unit 042; the controller has answered our call. */
async function called(protocol: 'tt92' | 'ttnew', alarmEvent: Record<string, unknown> = GROUPED) {
  const all = await withPeople('scaip', protocol);
  const { made, arc, unit } = all;
  opened.push(made);
  made.sender.bridge({ id: 'units', protocol, name: 'Units', destinationMatch: '^units$' });
  const taken = await send(made, { ...VOICE, alarmEvent });
  const arcTalk = await answerCall(made, arc);
  await answerCall(made, unit);
  return { ...all, taken, arcTalk };
}

const GROUPED = { deviceId: '0042', systemConfig: 'groupedSupervisorOffDuty' } as const;

/** Tones of this length or more are in brackets. */
const LONG_MS = 300;
const hears = (made: Pair, unit: Telephone, expected: string) => hearsTones(made, unit, expected, LONG_MS);
const says = (made: Pair, unit: Telephone, text: string, expected: string) =>
  saysTones(made, unit, text, expected, { longMs: LONG_MS });

/** # of 2 s, at whose end the call is over. */
async function clearedDown(made: Pair, unit: Telephone) {
  unit.audio.packets.splice(0);
  await made.until(() => unit.has('BYE'), 20_000);
  expect(unit.audio.packets.filter(({ payload }) => isLoud(payload)).length).toBeGreaterThan(95);
}

/** The outcome of a command, once there is one. */
function command(made: Pair, sessionId: string, name: 'volumeUp' | 'switchToDuplex') {
  const seen = { outcome: '' };
  void made.sender.runtime.commands.command(sessionId, { command: name })?.then((done) => {
    seen.outcome = done.ok ? 'done' : done.error.code;
  });
  return seen;
}

describe.each(['tt92', 'ttnew'] as const)('the controller of a scheme of %s', (protocol) => {
  it('is asked, names its units, learns which one is to be spoken with, and to clear it', async () => {
    const { made, arc, unit, taken } = await called(protocol);
    await hears(made, unit, 'DA');
    await says(made, unit, 'DB', 'DDDA');
    const waits = command(made, taken.sessionId, 'volumeUp');
    unit.audio.press('6D42DDDD');
    await made.after(8 * 160 + 500);
    expect(waits.outcome).toBe('');
    await says(made, unit, '6D43DDDD', 'D42B');
    await says(made, unit, '1DDDD42A', '(1)');
    await made.until(() => waits.outcome === 'done', 5_000);
    // Behind a controller it knows no duplex.
    const duplex = command(made, taken.sessionId, 'switchToDuplex');
    await made.until(() => duplex.outcome === 'commandNotSupported', 5_000);
    arc.audio.digits.splice(0);
    unit.audio.press('5');
    await made.after(800);
    expect(arc.audio.digits.map(({ digit }) => digit)).toEqual(['5']);

    unit.audio.digits.splice(0);
    void made.sender.runtime.commands.hangUp(taken.sessionId);
    await hears(made, unit, '(*)(0)');
    unit.audio.press('DDDDDDDB');
    await clearedDown(made, unit);
    unit.respond(unit.request('BYE'), 200);
    await made.after(15_000);
    expect(made.sender.runtime.load).toMatchObject({ calls: 0, sendings: 0 });
    expect(callbacksOf(made.sender, 'newAlarmbridgeEvent')).toEqual([]);
  });

  it('that does not answer is asked four times, and still spoken with', async () => {
    const { made, unit, taken } = await called(protocol);
    for (let asked = 0; asked < 4; asked++) await hears(made, unit, 'DA');
    const volume = command(made, taken.sessionId, 'volumeUp');
    await hears(made, unit, '(1)');
    await made.until(() => volume.outcome === 'done', 5_000);
    void made.sender.runtime.commands.hangUp(taken.sessionId);
    // No unit was selected: none is to be cleared.
    await clearedDown(made, unit);
    expect(unit.audio.digits.map(({ digit }) => digit)).not.toContain('0');
  });

  it('that names no unit gets the unit, as often as four times', async () => {
    const { made, unit } = await called(protocol);
    await hears(made, unit, 'DA');
    await says(made, unit, 'DB', 'DDDA');
    for (let asked = 0; asked < 4; asked++) await hears(made, unit, 'D42B');
  });
});

it('a unit that stands alone is asked nothing', async () => {
  const { made, unit } = await called('ttnew', { deviceId: '0042' });
  await made.after(4_000);
  expect(unit.audio.digits).toEqual([]);
});
