import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, type PeerSite, startPeerSite } from './support/peer-site.ts';
import { deviceOf, provisioned, singleExchanges, textOf } from './support/scaip-vector.ts';
import { runSipp, type SippOutcome } from './support/sipp.ts';

describe.each(['udp', 'tcp'] as const)('SIPp sends the SCAIP vectors over %s', (transport) => {
  let site: PeerSite;
  let outcome: SippOutcome;
  let events: ReadonlyMap<string, readonly Record<string, unknown>[]>;

  beforeAll(async () => {
    const applications = singleExchanges.map(
      ({ id, given }): [string, Record<string, unknown> | 'failed'] => [
        id,
        given?.callback === 'failed' ? 'failed' : { action: given?.action ?? 'drop' },
      ],
    );
    site = await startPeerSite({
      bridges: (url) => singleExchanges.map((vector) => provisioned(vector, url)),
      devices: singleExchanges.flatMap(deviceOf),
      answers: Object.fromEntries(applications),
    });
    outcome = await runSipp({
      scenario: 'scaip-device.xml',
      outOfCall: 'scaip-answer.xml',
      transport,
      port: transport === 'udp' ? site.appliance.ready.udp : site.appliance.ready.tcp,
      domain: DOMAIN,
      calls: singleExchanges.map(({ id, request }) => [id, textOf(request, 'cid') ?? 'device', request]),
    });
    events = Map.groupBy(await callbacks(site), (event) => String(event.path));
  });
  afterAll(() => site?.close());

  it('every MESSAGE gets its 200 and every call ends well', () => {
    // The device of scaip-07 wants to be called: the appliance calls it where its alarm came from. This scenario takes no calls.
    const faults = outcome.errors.split(/^(?=\d{4}-\d\d-\d\d\t)/m).filter((fault) => fault.trim() !== '');
    expect(faults.filter((fault) => !fault.includes('sip:scaip-07@'))).toEqual([]);
    expect(faults.some((fault) => fault.includes("received 'INVITE"))).toBe(true);
    expect(outcome.code).toBe(0);
    expect(singleExchanges).toHaveLength(14);
  });

  it.each(singleExchanges)('$id $name', ({ id, response, alarmEvent }) => {
    const answer = outcome.log.split('answer ').find((text) => textOf(text, 'ref') === response.ref) ?? '';
    for (const [tag, text] of Object.entries(response)) expect(plain(textOf(answer, tag))).toBe(plain(text));
    const delivered = events.get(`/${id}/newAlarmbridgeEvent`) ?? [];
    // One that failed is sent again as a record, under the same id; no other application gets one twice.
    if (id !== 'scaip-14') expect(delivered).toHaveLength(alarmEvent === null ? 0 : 1);
    if (alarmEvent !== null) expect(delivered[0]?.alarmEvent).toEqual(alarmEvent);
  });
});

/** Numbers compare as integers. */
const plain = (text: string | undefined): string | number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : text;

async function callbacks({ application }: PeerSite): Promise<Record<string, unknown>[]> {
  const received = await application.ask('take');
  return received.map(({ path, body }) => ({ path, ...(JSON.parse(body) as Record<string, unknown>) }));
}
