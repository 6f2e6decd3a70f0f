import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testAppliance } from '#test/support/appliance.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/* Calls beside wide receivers that take none: they go where they belong, and an alarm device that finds no receiver is reported. */

let site: Awaited<ReturnType<typeof testAppliance>>;
let net: ReturnType<typeof telephones>;
let anna: Telephone;
let carrier: Telephone;

beforeEach(async () => {
  site = await testAppliance();
  net = telephones(site);
  anna = await net.device('anna', '192.0.2.20');
  carrier = net.stranger('one', '198.51.100.1');
  site.notify('https://app.example/alarms');
});
afterEach(async () => {
  await net.after(40_000, 4_000);
  await site.close();
});

const wide = (protocol: string) =>
  site.bridge({ id: 'wide', protocol, name: 'Wide', destinationMatch: '.*', order: 1 });
const errors = () => site.posted.flatMap(({ body }) => body.error ?? []);

describe('a call', () => {
  it.each(['dc09', 'scaip', 'lacs', 'api'])(
    'to a number passes a wide receiver of %s over',
    async (protocol) => {
      wide(protocol);
      net.trunk();
      await anna.invite('+46855510', net.pump);
      const invite = carrier.request('INVITE');
      expect(invite.uriText).toBe('sip:+46855510@198.51.100.1:5060');
      carrier.respond(invite, 486);
      await net.pump();
      anna.response(486);
    },
  );

  it('without another taker is taken by a receiver of messages, not by one of frames', async () => {
    wide('dc09');
    await anna.invite('help', net.pump);
    anna.response(404);
    expect(errors()).toEqual([]);
    wide('scaip');
    const talk = await anna.invite('help', net.pump);
    anna.acknowledge(talk, anna.response(200));
    await net.pump();
    anna.inDialog(talk, 'BYE');
    await net.pump();
  });

  it('is reported to a person, once in ten minutes, when it is of an alarm device and finds no one', async () => {
    wide('dc09');
    const unit = await net.device('unit', '192.0.2.21', {
      serviceData: { alarmBridge: { alarmProtocol: 'bs8521' } },
    });
    for (let times = 0; times < 2; times++) {
      await unit.invite('help', net.pump);
      unit.response(404);
    }
    expect(errors()).toEqual(['noReceiver']);
    expect(site.posted.at(-1)?.body).toMatchObject({
      deviceId: 'unit',
      errorDetails: { reason: expect.stringContaining('"help"') },
    });
  });
});
