import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSqlite } from '#appliance/io/sqlite/index.ts';
import {
  allQuiet,
  answerCall,
  callbacksOf,
  keptPairs,
  type Pair,
  phoneAt,
  send,
} from '#test/support/sending.ts';
import { CONTROLLER, callsController, hearsIn, idle, OF_SCHEME } from '#test/support/sending-called.ts';
import type { Telephone } from '#test/support/sip-telephone.ts';

/* A centre that calls the controller of a scheme we speak for, while nothing waits there (protocols 6 and 14). */

const opened = keptPairs();

const NOTHING_WAITS = 'a centre calls a controller for which no alarm waits';
const nothingWaits = (protocol: string) => idle(opened, { protocol });

async function says(made: Pair, centre: Telephone, text: string, onMs = 80, ms = 4_500): Promise<string> {
  centre.audio.digits.splice(0);
  centre.audio.press(text, { onMs });
  return hearsIn(made, centre, ms);
}

/** Whether a trace of the host's journal tells of such a call. */
async function isTraced(made: Pair): Promise<boolean> {
  await made.sender.runtime.pages.flush();
  const db = openSqlite({ file: join(made.sender.folder, 'journal.db'), readonly: true });
  try {
    return db.prepare('SELECT 1 FROM trace WHERE instr(body, ?) > 0').get(NOTHING_WAITS) !== undefined;
  } finally {
    db.close();
  }
}

async function leftBy(made: Pair, centre: Telephone, mostMs: number): Promise<void> {
  await made.until(() => centre.has('BYE'), mostMs);
  centre.respond(centre.request('BYE'), 200);
  await made.after(1_000);
  expect(await isTraced(made)).toBe(true);
  expect(callbacksOf(made.sender, 'alarmSent')).toEqual([]);
  expect(callbacksOf(made.sender, 'alarmQueued')).toEqual([]);
  allQuiet(made);
}

describe('a centre that calls a controller for which nothing waits', () => {
  it.each(['tt92', 'ttnew'])(
    '%s: is answered, gets no unit and no frame, and is left after a minute',
    async (protocol) => {
      const { made, centre } = await nothingWaits(protocol);
      await callsController(made, centre);
      expect(await says(made, centre, protocol === 'tt92' ? '0#' : 'DB')).toBe('');
      expect(await says(made, centre, 'DA')).toBe('DB');
      expect(await says(made, centre, 'DDDA')).toBe('');
      expect(await says(made, centre, 'D42B')).toBe('');
      centre.audio.press('*', { onMs: 500 });
      await made.after(580);
      expect(await says(made, centre, '0', 1_000)).toBe('DDDDDDDB');
      await leftBy(made, centre, 60_000);
    },
  );

  it('bs8521: is asked who it is, learns that there is no alarm, and has no unit to select', async () => {
    const { made, centre } = await nothingWaits('bs8521');
    await callsController(made, centre);
    expect(await hearsIn(made, centre, 1_500)).toBe('(B)');
    expect(await says(made, centre, 'A41000000471100000570000000#', 80, 5_500)).toBe('B');
    expect(await says(made, centre, 'B', 1_000, 6_500)).toBe('A11001234567800000570000000#');
    expect(await says(made, centre, 'B')).toBe('');
    expect(await says(made, centre, 'A10000#')).toBe('A000000000000#');
    expect(await says(made, centre, 'A00042#')).toBe('A000000000000#');
    centre.audio.press('A', { onMs: 250 });
    await made.after(330);
    expect(await says(made, centre, '9')).toBe('A000000#');
    centre.audio.press('A', { onMs: 250 });
    await made.after(330);
    centre.audio.press('D');
    await leftBy(made, centre, 2_000);
  });

  it('bs8521: and says nothing is left in the end', async () => {
    const { made, centre } = await nothingWaits('bs8521');
    await callsController(made, centre);
    await leftBy(made, centre, 90_000);
  });

  it('and hangs up at any moment leaves no party on a line', async () => {
    const { made, centre } = await nothingWaits('ttnew');
    for (const ms of [0, 700, 2_000, 5_000]) {
      const talk = await callsController(made, centre);
      centre.audio.press('DA');
      await made.after(ms);
      centre.inDialog(talk, 'BYE');
      await made.until(() => centre.has(200));
      centre.response(200, 'BYE');
      await made.after(1_000);
      allQuiet(made);
    }
  });

  it('does not get the controller where the number is that of a telephone', async () => {
    const { made, centre } = await nothingWaits('ttnew');
    const own = await phoneAt(made, 'sender', '5005');
    await centre.invite('5005', made.pump);
    await made.until(() => own.has('INVITE'), 5_000);
    own.respond(own.request('INVITE'), 486);
    await made.until(() => centre.has(486), 5_000);
    expect(await isTraced(made)).toBe(false);
  });

  it('is called with the next alarm of the scheme, which does not wait in that call', async () => {
    const { made, centre } = await nothingWaits('ttnew');
    const talk = await callsController(made, centre);
    await send(made, { sipFrom: CONTROLLER, alarmEvent: OF_SCHEME });
    await answerCall(made, centre);
    centre.inDialog(talk, 'BYE');
    await made.after(1_000);
    expect(made.sender.runtime.load).toMatchObject({ calls: 1, sendings: 1 });
  });
});
