import { beforeEach, describe, expect, it } from 'vitest';
import { ORDINARY_POLICY } from '#appliance/call/control/index.ts';
import type { CallProgress } from '#appliance/call/session/index.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { eachWithTelephones, type TelephoneHouse } from '#test/support/talking.ts';
import type { Telephone } from '#test/support/telephone.ts';

let appliance: TelephoneHouse['appliance'];
let net: TelephoneHouse['net'];
let anna: Telephone;
let bo: Telephone;
const events: CallProgress[] = [];

eachWithTelephones({ anna: '192.0.2.20', bo: '192.0.2.21' }, (made) => {
  ({ appliance, net, anna, bo } = made);
});

beforeEach(() => {
  events.length = 0;
});

function place(destination: string) {
  return appliance.runtime.calls.place({
    destination,
    origin: {
      display: 'Alarm',
      user: 'alarm',
      host: 'care.example',
      hidden: false,
      trusted: true,
      fields: [['X-Session', '7']],
      hopsLeft: 70,
    },
    plan: {
      policy: ORDINARY_POLICY,
      relay: {},
      straight: false,
      trunkGroupId: undefined,
      mayReachServices: false,
    },
    trace: new SessionTrace('trace-1', () => 0),
    setting: { keepsCaller: true },
    onProgress: (each) => events.push(each),
  });
}

const kinds = () => events.map(({ kind }) => kind);

describe('a call of our own', () => {
  it('rings, is answered, hears us, and is joined with another party that comes and goes', async () => {
    const call = place('anna');
    await net.pump();
    const invite = anna.request('INVITE');
    expect(invite.from.uriText).toBe('sip:alarm@care.example');
    expect(invite.header('X-Session')).toBe('7');
    anna.hearPort(invite);
    anna.respond(invite, 180);
    await net.pump();
    anna.respond(invite, 200, { sdp: anna.describe() });
    await net.pump();
    expect(kinds()).toEqual(['ringing', 'attended']);
    const { calls } = appliance.runtime;
    await net.after(500);
    await appliance.media.media.sendDigits(call.session.party, 'p1', {
      digits: '42',
      mode: 'auto',
      onMs: 80,
      offMs: 80,
    });
    await net.after(1_000);
    expect(anna.audio.digits.map(({ digit }) => digit).join('')).toBe('42');

    calls.turn(() => call.input({ kind: 'dial', groups: call.named(calls.targetsTo(call, 'bo').groups) }));
    await net.pump();
    const second = bo.request('INVITE');
    bo.hearPort(second);
    bo.respond(second, 200, { sdp: bo.describe() });
    await net.pump();
    await net.after(500);
    anna.audio.press('9');
    await net.after(1_000);
    expect(bo.audio.digits.map(({ digit }) => digit).join('')).toBe('9');
    bo.inDialog(bo.answeredTalk(second), 'BYE');
    await net.pump();
    expect(kinds()).toEqual(['ringing', 'attended', 'joined', 'left']);
    anna.inDialog(anna.answeredTalk(invite), 'BYE');
    await net.pump();
    expect(kinds().at(-1)).toBe('over');
  });

  it('rings at every contact, the first answer has it', async () => {
    const second = await net.device('anna', '192.0.2.25');
    place('anna');
    await net.pump();
    const here = anna.request('INVITE');
    const there = second.request('INVITE');
    anna.respond(here, 180);
    second.respond(there, 200, { tag: 'second', sdp: second.describe() });
    await net.pump();
    anna.respond(anna.request('CANCEL'), 200);
    anna.respond(here, 487);
    expect(kinds()).toEqual(['ringing', 'attended']);
    second.inDialog(second.answeredTalk(there, 'second'), 'BYE');
    await net.pump();
    second.response(200, 'BYE');
  });

  it('to an unknown name, to a busy party, to one that never answers is over', async () => {
    place('nobody');
    await net.pump();
    expect(events).toEqual([
      { kind: 'over', reason: { protocol: 'SIP', cause: 404, text: 'nobody here is nobody' } },
    ]);
    events.length = 0;
    place('anna');
    await net.pump();
    anna.respond(anna.request('INVITE'), 486);
    await net.pump();
    expect(events).toMatchObject([{ kind: 'over', reason: { cause: 486, text: 'Said' } }]);
    events.length = 0;
    place('anna');
    await net.pump();
    const invite = anna.request('INVITE');
    anna.respond(invite, 180);
    await net.after(181_000, 10_000);
    expect(kinds()).toEqual(['ringing', 'over']);
    expect(events.at(-1)).toMatchObject({ reason: { cause: 408, text: 'no answer in 180 s' } });
    anna.respond(anna.request('CANCEL'), 200);
    anna.respond(invite, 487);
    await net.pump();
  });

  it('that we give up is cancelled', async () => {
    const call = place('anna');
    await net.pump();
    const invite = anna.request('INVITE');
    anna.respond(invite, 180);
    await net.pump();
    appliance.runtime.calls.turn(() => call.input({ kind: 'hangUp' }));
    await net.pump();
    anna.respond(anna.request('CANCEL'), 200);
    anna.respond(invite, 487);
    await net.pump();
    expect(kinds()).toEqual(['ringing', 'over']);
  });
});
