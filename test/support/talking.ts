import { afterEach, beforeEach, expect } from 'vitest';
import type { SipRequest } from '#appliance/sip/message/index.ts';
import { testAppliance } from './appliance.ts';
import type { Appliance, Talk, Telephone } from './sip-telephone.ts';
import { telephones } from './telephone.ts';

type Net = Pick<ReturnType<typeof telephones>, 'pump'>;

/** An appliance with telephones around it. */
export interface TelephoneHouse {
  readonly appliance: Awaited<ReturnType<typeof testAppliance>>;
  readonly net: ReturnType<typeof telephones>;
}

/** Gives each test of a file an appliance with these telephones, and fails it when something is left of its calls. */
export function eachWithTelephones<Name extends string>(
  hosts: Readonly<Record<Name, string>>,
  use: (made: TelephoneHouse & Readonly<Record<Name, Telephone>>) => void,
): void {
  let house: TelephoneHouse;
  beforeEach(async () => {
    const appliance = await testAppliance();
    house = { appliance, net: telephones(appliance) };
    const phones: Record<string, Telephone> = {};
    for (const [name, host] of Object.entries<string>(hosts))
      phones[name] = await house.net.device(name, host);
    use({ ...house, ...(phones as Record<Name, Telephone>) });
  });
  afterEach(() => nothingLeft(house.appliance, house.net));
}

/** Takes the call that rings there, with its audio; gives the INVITE. */
export async function takesCall(by: Telephone, { pump }: Net): Promise<SipRequest> {
  const invite = by.request('INVITE');
  by.hearPort(invite);
  by.respond(invite, 200, { sdp: by.describe() });
  await pump();
  by.request('ACK');
  return invite;
}

/** One calls the other, who answers: the dialog of each. */
export async function talking(
  net: Net,
  from: Telephone,
  to: Telephone,
  fields: Parameters<Telephone['invite']>[2] = {},
): Promise<{ talk: Talk; back: Talk }> {
  const talk = await from.invite(to.user, net.pump, fields);
  const invite = await takesCall(to, net);
  from.acknowledge(talk, from.response(200));
  await net.pump();
  return { talk, back: to.answeredTalk(invite) };
}

/** One hangs up, the other hears of it. */
export async function hangsUp({ pump }: Net, by: Telephone, talk: Talk, other: Telephone): Promise<void> {
  by.inDialog(talk, 'BYE');
  await pump();
  other.respond(other.request('BYE'), 200);
  await pump();
}

/** After any story nothing is left of it once everything has been repeated often enough. */
export async function nothingLeft(
  appliance: Appliance,
  net: Pick<ReturnType<typeof telephones>, 'after'>,
): Promise<void> {
  await net.after(40_000, 4_000);
  expect(appliance.runtime.load).toMatchObject({ calls: 0, legs: 0 });
  expect(appliance.runtime.calls.keptLegs).toBe(0);
  expect(appliance.media.openLegs).toEqual([]);
  expect(appliance.logged).toEqual([]);
  await appliance.close();
}

/** The SCAIP alarm of a unit, as it sends it; `more`: further elements. */
export function sendsAlarm(unit: Telephone, more = ''): void {
  unit.send({
    method: 'MESSAGE',
    uri: 'sip:scaip@care.example',
    headers: [
      ['From', `<sip:${unit.user}@care.example>;tag=m`],
      ['To', '<sip:scaip@care.example>'],
      ['Call-ID', 'scaip-alarm'],
      ['CSeq', '1 MESSAGE'],
      ['Content-Type', 'application/scaip+xml'],
    ],
    body: Buffer.from(`<mrq><ref>R1</ref><cid>${unit.user}</cid><dty>0003</dty><stc>0010</stc>${more}</mrq>`),
  });
}
