import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainRecord } from '#test/appliance/record/test-records.ts';
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
  it('rings, is answered, carries digits in both directions and is ended', async () => {
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
    expect(appliance.runtime.calls.keptLegs).toBe(2);

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
    expect((await appliance.recorded()).map(plainRecord)).toMatchInlineSnapshot(`
      [
        {
          "acceptedBy": "sip:bo@care.example",
          "configRevision": 7,
          "deviceId": "anna",
          "durationMs": 2500,
          "from": "anna",
          "kind": "call",
          "legs": [
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "1",
              "lost": 0,
              "mos": 4.37,
              "received": 125,
            },
            {
              "codec": "PCMA",
              "jitterMs": 0,
              "leg": "2",
              "lost": 0,
              "mos": 3.31,
              "received": 125,
            },
          ],
          "named": [
            true,
            true,
            true,
          ],
          "program": "test",
          "reason": "The call ended: Q.850 16 Normal call clearing",
          "requestUri": "sip:bo@care.example",
          "result": "done",
          "rule": "deviceId",
          "source": "192.0.2.20",
          "speechMs": 2500,
          "times": {
            "arrived": 0,
            "deviceAnswered": 0,
            "ended": 2500,
            "voiceJoined": 0,
          },
          "to": "bo",
          "v": 1,
        },
      ]
    `);
  });
});
