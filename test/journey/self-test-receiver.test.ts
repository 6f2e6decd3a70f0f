import { describe, expect, it } from 'vitest';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  centreKnows,
  keptPairs,
  LOGIN,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();

async function two(target: Record<string, unknown>, bridge: string) {
  const made = await sendingPair({ destAddr: AT_CENTRE, ...LOGIN, ...target });
  opened.push(made);
  centreKnows(made);
  centreBridge(made, bridge, bridge === 'dc09' ? { destinationMatch: '#1234$' } : {});
  return made;
}
type Two = Awaited<ReturnType<typeof two>>;

/** Asks for the test and lets time pass until the result is there. */
async function tested(made: Two) {
  let reported: Awaited<ReturnType<typeof made.sender.runtime.testSendings.send>> | undefined;
  const asked = made.sender.runtime.testSendings.send().then((looks) => {
    reported = looks;
  });
  // The journal has a thread of its own: no time of the test passes before it has stored the test alarms.
  while (reported === undefined && made.sender.runtime.sending.sessions.size === 0)
    await new Promise<void>((resolve) => setImmediate(resolve));
  await made.until(() => reported !== undefined, 60_000);
  await asked;
  return reported ?? [];
}

const FRAMES = { destAddr: `${CENTRE}:12300`, dc09: { line: '1', account: '1234', transport: 'tcp' } };

describe('a test alarm to a receiver', () => {
  it.each([
    ['scaip', {}, 'scaip'],
    ['nowip', {}, 'nowip'],
    ['sia-dcs', FRAMES, 'dc09'],
    ['adm-cid', FRAMES, 'dc09'],
  ] as const)('goes out in %s, and is a test at the centre', async (protocol, target, bridge) => {
    const made = await two({ protocol, ...target }, bridge);
    const [look, ...others] = await tested(made);
    expect(others).toEqual([]);
    expect(look).toMatchObject({ host: protocol, outcome: { kind: 'delivered' } });
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toMatchObject([
      { alarmEvent: { statusCode: 'alarmTest' } },
    ]);
    // No request to send anything has come from an application here.
    expect(made.sender.posted).toEqual([]);
    expect(made.sender.runtime.sending.sessions.size).toBe(0);
  });

  it('without a taker is reported, raises no alarm, and does not come when the centre is back', async () => {
    const made = await two({ protocol: 'sia-dcs', ...FRAMES }, 'dc09');
    made.sender.notify('https://app.example/alarms');
    made.frames.cutTo(() => true);
    const [look] = await tested(made);
    expect(['waiting', 'notTaken']).toContain(look?.outcome.kind);
    made.frames.cutTo(() => false);
    await made.after(120_000);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
    expect(made.sender.posted).toEqual([]);
    expect(made.sender.runtime.sending.sessions.size).toBe(0);
  });

  it.each([
    [
      'that is called, of which nothing says that it is a test',
      { protocol: 'bs8521', destAddr: '+4685551234' },
      'byCall',
    ],
    ['that is only called', { protocol: 'voicecall', destAddr: '+4685551234' }, 'byCall'],
    ['without an account of ours', { protocol: 'adm-cid', destAddr: `${CENTRE}:12300` }, 'unmarked'],
  ])('%s is not made', async (_, target, kind) => {
    const made = await two(target, 'dc09');
    made.sender.take();
    expect(await tested(made)).toMatchObject([{ outcome: { kind } }]);
    expect(made.frames.sent).toEqual([]);
    expect(made.sender.runtime.sending.sessions.size).toBe(0);
    expect(callbacksOf(made.centre, 'newAlarmbridgeEvent')).toEqual([]);
  });
});
