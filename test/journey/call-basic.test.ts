import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { telephones } from '#test/support/telephone.ts';

let appliance: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;

beforeEach(async () => {
  appliance = await testAppliance();
  net = telephones(appliance);
});

afterEach(async () => {
  expect(appliance.logged).toEqual([]);
  await appliance.close();
});

describe('a call between two telephones of the tenant', () => {
  it('rings, is answered, carries digits both ways and is ended', async () => {
    const anna = await net.device('anna', '192.0.2.20');
    const bo = await net.device('bo', '192.0.2.21');
    const talk = await anna.invite('bo', net.pump);
    const invite = bo.request('INVITE');
    expect(invite.uriText).toBe('sip:bo@192.0.2.21:5060');
    expect(invite.from.uriText).toBe('sip:anna@care.example');
    bo.respond(invite, 180);
    await net.pump();
    expect(anna.response(180).body.length).toBe(0);
    bo.hearPort(invite);
    bo.respond(invite, 200, { sdp: bo.describe() });
    await net.pump();
    const ok = anna.response(200);
    anna.acknowledge(talk, ok);
    await net.pump();
    bo.request('ACK');
    expect(appliance.runtime.load).toMatchObject({ calls: 1, legs: 2 });

    // The jitter buffers fill.
    await net.after(500);
    // Both at once: events one way leave the audio of the other way alone.
    anna.audio.press('159');
    bo.audio.press('D#', { by: 'rfc4733' });
    await net.after(2_000);
    expect(bo.audio.digits.map(({ digit }) => digit).join('')).toBe('159');
    expect(anna.audio.digits.map(({ digit }) => digit).join('')).toBe('D#');

    anna.inDialog(talk, 'BYE');
    await net.pump();
    anna.response(200, 'BYE');
    bo.respond(bo.request('BYE'), 200);
    await net.pump();
    expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
    expect(appliance.media.openLegs).toEqual([]);
    await net.after(33_000, 5_000);
    expect(appliance.runtime.calls.keptLegs).toBe(0);
  });
});
