import { afterEach, expect, it } from 'vitest';
import { decodeAtm, encodeAtm } from '#appliance/alarm/protocol/nowip/index.ts';
import { sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';
import { answered } from '#test/support/appliance.ts';
import { EVENT } from '#test/support/sending.ts';
import { CONTROLLER, OF_SCHEME } from '#test/support/sending-called.ts';
import { type SiteHost, type SiteHosts, siteHosts } from '#test/support/site-hosts.ts';
import { type Telephone, telephones } from '#test/support/telephone.ts';

/*
 * Two hosts of a site: one has sent events of a NOW-IP scheme, and is lost. A centre that calls or asks its controller is answered by
 * the other one as before.
 */

const CENTRES = ['192.0.2.31', '192.0.2.32'] as const;

let site: SiteHosts;
afterEach(async () => {
  for (const { site: each } of site.hosts)
    expect(each.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

async function open(): Promise<readonly [SiteHost, SiteHost]> {
  site = await siteHosts([{}, {}]);
  for (const { site: each } of site.hosts) {
    each.answerBy(() => answered({ action: 'drop' }));
    each.bridge({
      ...{ id: 'north', protocol: 'api', name: 'North', destinationMatch: '^north$' },
      alarmEventMapperId: 'mapper-1',
    });
  }
  centreAt(CENTRES[0]);
  const [one, two] = site.hosts;
  if (one === undefined || two === undefined) throw new Error('a site has two hosts');
  return [one, two];
}

/** Where events go from now on, as provisioned. */
function centreAt(host: string): void {
  for (const { site: each } of site.hosts) each.mapper({ protocol: 'nowip', destAddr: `sip:centre@${host}` });
}

/** The telephone of the centre at this address, as this host sees it. */
async function centreOf({ site: each }: SiteHost, address: string) {
  const net = telephones(each);
  const phone = await net.device('centre', address);
  return { net, phone };
}

/** An event goes out from the controller, is turned away by the centre, and taken back. */
async function sends(host: SiteHost, address: string): Promise<void> {
  const { net, phone } = await centreOf(host, address);
  const { runtime } = host.site;
  const request = { eventReceiver: 'north', sipFrom: CONTROLLER, alarmEvent: { ...EVENT, ...OF_SCHEME } };
  const taken = await runtime.sending.sender.send(sendAlarmEventSchema.parse(request), undefined);
  if (!taken.ok) throw new Error(taken.error.reason);
  await net.pump();
  phone.respond(phone.request('INVITE'), 486);
  phone.respond(phone.request('MESSAGE'), 603);
  await net.pump();
  void runtime.commands.hangUp(taken.value.sessionId);
  await site.after(1_000);
  expect(runtime.load.sendings).toBe(0);
}

/** The controller's answer to the question which units wait. */
async function asks(net: ReturnType<typeof telephones>, phone: Telephone): Promise<string[]> {
  phone.send({
    method: 'MESSAGE',
    uri: `sip:${CONTROLLER}@care.example`,
    headers: [
      ['From', '<sip:centre@care.example>;tag=m'],
      ['To', `<sip:${CONTROLLER}@care.example>`],
      ['Call-ID', `message-${phone.host}`],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/xml'],
    ],
    body: Buffer.from(encodeAtm({ version: '1', type: '2', data: '10000', time: '12:00', mac: 'c1' })),
  });
  await net.pump();
  const received: string[] = [];
  while (phone.has('MESSAGE')) {
    const request = phone.request('MESSAGE');
    phone.respond(request, 200);
    const atm = decodeAtm(request.body);
    if (atm.ok) received.push(`${atm.value.type} ${atm.value.data}`);
  }
  return received;
}

const NOTHING_WAITS = ['7 000000000000'];

it.each([
  ['in doubt', 3_500],
  ['dead', 12_000],
])(
  'the controller of a host that is %s is known to the other one, in a call and by message',
  async (_, ms) => {
    const [one, two] = await open();
    await sends(one, CENTRES[0]);
    site.kill(one);
    await site.after(ms);
    const { net, phone } = await centreOf(two, CENTRES[0]);
    expect(await asks(net, phone)).toEqual(NOTHING_WAITS);
    const talk = await phone.invite(CONTROLLER, net.pump);
    phone.acknowledge(talk, phone.response(200));
    phone.inDialog(talk, 'BYE');
    await net.pump();
  },
);

it('is unknown there as long as its host answers for it', async () => {
  const [one, two] = await open();
  await sends(one, CENTRES[0]);
  await site.after(5_000);
  const { net, phone } = await centreOf(two, CENTRES[0]);
  expect(await asks(net, phone)).toEqual([]);
});

it('has later knowledge of the lost host before that of the other one, and earlier knowledge not', async () => {
  const [one, two] = await open();
  const inAnHour = (): void => {
    for (const { site: each } of site.hosts) each.setWallBy(3_600_000);
  };
  const number = async (address: string) => {
    const { net, phone } = await centreOf(two, address);
    return await asks(net, phone);
  };
  await sends(two, CENTRES[0]);
  inAnHour();
  centreAt(CENTRES[1]);
  await sends(one, CENTRES[1]);
  site.kill(one);
  await site.after(12_000);
  expect(await number(CENTRES[0])).toEqual([]);
  expect(await number(CENTRES[1])).toEqual(NOTHING_WAITS);
});

it('keeps the later knowledge of the other one', async () => {
  const [one, two] = await open();
  await sends(one, CENTRES[0]);
  for (const { site: each } of site.hosts) each.setWallBy(3_600_000);
  centreAt(CENTRES[1]);
  await sends(two, CENTRES[1]);
  site.kill(one);
  await site.after(12_000);
  const { net, phone } = await centreOf(two, CENTRES[1]);
  expect(await asks(net, phone)).toEqual(NOTHING_WAITS);
});
