import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bridgeDialPlan } from '#appliance/call/control/index.ts';
import type { CallProgress } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
const events: CallProgress[] = [];
const notes: string[] = [];

beforeEach(async () => {
  events.length = 0;
  notes.length = 0;
  appliance = await testAppliance({ privateAddress: '10.8.0.1' });
  net = telephones(appliance);
  anna = await net.device('anna', '192.0.2.20');
});

afterEach(async () => {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.media.openLegs).toEqual([]);
  await appliance.close();
});

/** A call that an alarm bridge with these fields makes. */
function place(destination: string, fields: Record<string, unknown>) {
  const bridge = appliance.bridge({ destinationMatch: '^alarm', ...fields });
  const origin = { display: '', user: 'unit', host: 'care.example', hidden: false, trusted: false };
  const trace = new SessionTrace('trace-1', () => 0);
  vi.spyOn(trace, 'add').mockImplementation((kind, detail) =>
    notes.push(`${kind} ${JSON.stringify(detail)}`),
  );
  return appliance.runtime.calls.place({
    destination,
    origin: { ...origin, fields: [], hopsLeft: 70 },
    plan: bridgeDialPlan(bridge, undefined),
    trace,
    setting: { keepsCaller: true, endsSilent: false },
    onProgress: (each) => events.push(each),
  });
}

describe('a call of an alarm bridge', () => {
  it('does not end at a receiver of ours: the loop is named in the answer', async () => {
    place('alarm-2', { enforceIvrDestination: false });
    await net.pump();
    expect(events).toEqual([
      {
        kind: 'over',
        reason: { protocol: 'SIP', cause: 404, text: expect.stringContaining('enforceIvrDestination') },
      },
    ]);
    expect(notes.join('\n')).toContain('enforceIvrDestination');
  });

  it.each([
    [false, true],
    [true, false],
  ])('with useVPNConnection %s expects a NAT: %s', async (useVPNConnection, latches) => {
    const call = place('anna', { useVPNConnection });
    await net.pump();
    const invite = anna.request('INVITE');
    // Behind a VPN no peer reaches the address that the rest of the world knows.
    const ours = useVPNConnection ? '10.8.0.1' : '192.0.2.10';
    expect(invite.body.toString()).toContain(`c=IN IP4 ${ours}\r\n`);
    expect(invite.header('Contact')).toContain(`@${ours}:5060>`);
    anna.hearPort(invite);
    // A private address that is not where its SIP comes from.
    anna.respond(invite, 200, { sdp: anna.describe({ host: '10.1.1.1' }) });
    await net.pump();
    await net.after(1_000);
    const digits = { digits: '42', mode: 'auto', onMs: 80, offMs: 80 } as const;
    anna.audio.press('1');
    await net.after(500);
    await appliance.media.media.sendDigits(call.session.party, 'p1', digits);
    await net.after(1_000);
    expect(anna.audio.digits.map(({ digit }) => digit).join('')).toBe(latches ? '42' : '');
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.pump();
  });
});

describe('an alarm call whose Max-Forwards is used up', () => {
  it('has arrived: it raises its event; no one else is called by it', async () => {
    appliance.bridge({ protocol: 'voicecall', destinationMatch: '^alarms$' });
    const talk = await anna.invite('alarms', net.pump, { headers: [['Max-Forwards', '0']] });
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    expect(appliance.posted.map(({ call }) => call.path)).toContain('/newAlarmbridgeEvent');
    anna.inDialog(talk, 'BYE');
    await net.pump();
  });
});
