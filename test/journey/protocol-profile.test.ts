import { afterEach, describe, expect, it } from 'vitest';
import { protocolProfileRequestSchema } from '#shared/contract/provisioning/index.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

type Site = Awaited<ReturnType<typeof testAppliance>>;
const open: Site[] = [];
afterEach(async () => {
  for (const site of open.splice(0)) await site.close();
});

async function appliance(bridge: Record<string, unknown> = {}): Promise<Site> {
  const site = await testAppliance();
  open.push(site);
  site.bridge(bridge);
  site.device({ deviceId: 'unit-1' });
  return site;
}

/** Provisions a profile as the cloud would have taken it. */
function profile(site: Site, name: string, from: string, content: object, kind = 'xml'): void {
  const row = protocolProfileRequestSchema.parse({ name, kind, extends: from, content });
  site.tenant.put('protocolprofile', name, row);
}

const MRQ = (ref: string, cid = 'unit-1') =>
  `<mrq><ref>${ref}</ref><cid>${cid}</cid><dty>0003</dty><stc>0010</stc><crd>sip:</crd></mrq>`;

const tagOf = (xml: string, tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
/** Requests of ours, each once: UDP repeats a request that is not confirmed. */
const said = (site: Site) => {
  const lines = site.take().map((message) => {
    const what = 'method' in message ? message.method : String(message.status);
    const xml = message.body.toString();
    return xml === '' ? what : `${what} snu ${tagOf(xml, 'snu')}`;
  });
  return [...new Set(lines)];
};

describe('SCAIP as the profile of the destination says', () => {
  it.each([
    ['message', ['200', 'MESSAGE snu 0']],
    ['in200', ['200 snu 0']],
    ['both', ['200 snu 0', 'MESSAGE snu 0']],
  ])('responseMode %s', async (responseMode, expected) => {
    const site = await appliance({ protocolProfile: 'mine' });
    profile(site, 'mine', 'scaip', { responseMode });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'unit-1', { body: MRQ('1') });
    await site.quiet();
    expect(said(site)).toEqual(expected);
  });

  it('holdAfterMs: the device is asked to hold as late as it says', async () => {
    const site = await appliance({ protocolProfile: 'slow' });
    profile(site, 'slow', 'scaip', { holdAfterMs: 9_000 });
    site.request('MESSAGE', 'unit-1', { body: MRQ('1') });
    await site.quiet();
    await site.after(8_500);
    expect(said(site)).toEqual(['200']);
    await site.after(1_000);
    expect(said(site)).toEqual(['MESSAGE snu 4']);
  });

  it.each([
    ['off', 0, []],
    ['warn', 0, ['cidMismatch']],
    ['reject', 3, undefined],
  ] as const)('cidPolicy %s', async (cidPolicy, snu, warnings) => {
    const site = await appliance({ protocolProfile: 'mine' });
    profile(site, 'mine', 'scaip', { cidPolicy });
    site.device({ deviceId: 'unit-2' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'unit-1', { body: MRQ('1', 'unit-2') });
    await site.quiet();
    const answer = said(site).at(-1);
    const source = site.posted[0]?.body.sourceAlarmEvent as { warnings: string[] } | undefined;
    expect([answer, source?.warnings]).toEqual([`MESSAGE snu ${snu}`, warnings]);
  });

  it('contentTypesAccepted: only what it names is an alarm', async () => {
    const site = await appliance({ protocolProfile: 'mine' });
    profile(site, 'mine', 'scaip', { contentTypesAccepted: ['application/x-care'] });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'unit-1', { body: MRQ('1') });
    await site.quiet();
    expect(said(site)).toEqual(['404']);
  });

  it('a tenant-wide row changes every receiver, a named one only its own, value by value', async () => {
    const site = await appliance();
    profile(site, 'scaip', 'scaip', { responseMode: 'both', contentType: 'text/xml' });
    profile(site, 'one', 'scaip', { responseMode: 'in200' });
    site.bridge({ id: 'bridge-2', destinationMatch: '^other$', protocolProfile: 'one' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'unit-1', { body: MRQ('1') });
    await site.quiet();
    expect(said(site)).toEqual(['200 snu 0', 'MESSAGE snu 0']);
    site.request('MESSAGE', 'unit-1', { body: MRQ('2'), uri: 'sip:other@care.example' });
    await site.quiet();
    const messages = site.take();
    expect(messages.map((message) => message.header('Content-Type'))).toEqual(['text/xml']);
  });

  it('a running exchange keeps the profile it began with', async () => {
    const site = await appliance({ protocolProfile: 'mine' });
    profile(site, 'mine', 'scaip', { holdAfterMs: 5_000 });
    site.request('MESSAGE', 'unit-1', { body: MRQ('1') });
    await site.quiet();
    profile(site, 'mine', 'scaip', { holdAfterMs: 50_000 });
    await site.after(6_000);
    expect(said(site)).toEqual(['200', 'MESSAGE snu 4']);
  });

  it('a row that a newer cloud understands and this site does not is left out, and alarms go on', async () => {
    const site = await appliance({ protocolProfile: 'future' });
    profile(site, 'future', 'scaip', { responseMode: 'carrier pigeon' });
    site.answerBy(() => answered({ action: 'drop' }));
    site.request('MESSAGE', 'unit-1', { body: MRQ('1') });
    await site.quiet();
    expect(said(site)).toEqual(['200', 'MESSAGE snu 0']);
    expect(site.logged.filter((line) => line.includes('future'))).toHaveLength(1);
  });
});

const LACS = {
  enabled: true,
  requestRoot: 'lacs',
  fieldPaths: { controllerId: 'unit/id', eventCode: 'event', location: 'place', reference: 'ref' },
  eventTable: { E1: { deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'none' } },
  reply: { template: '<answer ref="{{reference}}"><call>{{callback}}</call></answer>' },
};
const lacsBody = (code: string, ref = '7') =>
  `<lacs><ref>${ref}</ref><unit><id>lift-9</id></unit><event>${code}</event><place>shaft 2</place></lacs>`;

describe('LACS', () => {
  const send = (site: Site, body: string) =>
    site.request('MESSAGE', 'unit-1', { body, uri: 'sip:lacs@care.example' });

  async function receiver(content: object = LACS): Promise<Site> {
    const site = await appliance({
      protocol: 'lacs',
      destinationMatch: '^lacs$',
      lacsCallback: '+4680<1',
      protocolProfile: 'our-lacs',
    });
    profile(site, 'our-lacs', 'lacs', content);
    site.answerBy(() => answered({ action: 'drop' }));
    return site;
  }

  it('is read, stored and answered as the profile says', async () => {
    const site = await receiver();
    send(site, lacsBody('E1'));
    await site.quiet();
    expect(site.posted[0]?.body).toMatchObject({
      sourceAlarmProtocol: 'lacs',
      alarmEvent: { controllerId: 'lift-9', deviceType: 'fixedTrigger', statusCode: 'alarm', audio: 'none' },
      sourceAlarmEvent: { protocol: 'lacs', warnings: [], fields: { reference: '7', location: 'shaft 2' } },
    });
    const bodies = site.take().map((message) => message.body.toString());
    expect(bodies).toEqual(['', '<answer ref="7"><call>+4680&lt;1</call></answer>']);
  });

  it('a repeat gets the same answer and is no event; an unknown code is one, with a warning', async () => {
    const site = await receiver();
    send(site, lacsBody('E1'));
    await site.quiet();
    site.take();
    send(site, lacsBody('E1'));
    await site.quiet();
    expect(site.take().map((message) => message.body.length > 0)).toEqual([false, true]);
    expect(site.posted).toHaveLength(1);
    send(site, lacsBody('E9'));
    await site.quiet();
    expect(site.posted[1]?.body.sourceAlarmEvent).toMatchObject({ warnings: ['unknownCode:eventCode'] });
  });

  it('an alarm that is stored when its device waits no more gets its answer when it is repeated', async () => {
    const site = await receiver({ ...LACS, ackWithinMs: 2_000 });
    const answers = () => site.take().flatMap((message) => ('status' in message ? [] : [message.method]));
    const release = site.slowDisk();
    send(site, lacsBody('E1'));
    await site.after(2_100);
    await release();
    expect(answers()).toEqual([]);
    expect(site.posted).toHaveLength(1);
    send(site, lacsBody('E1'));
    await site.quiet();
    expect(answers()).toEqual(['MESSAGE']);
    expect(site.posted).toHaveLength(1);
  });

  it('an alarm that cannot be stored gets no answer', async () => {
    const site = await receiver();
    site.breakDisk(true);
    send(site, lacsBody('E1'));
    await site.quiet();
    expect(site.take().map((message) => ('status' in message ? message.status : message.method))).toEqual([
      200,
    ]);
  });

  it('stays off until it is switched on, and a person learns of messages without a taker', async () => {
    const site = await receiver({ ...LACS, enabled: false });
    site.notify('https://app.example/alarms');
    send(site, lacsBody('E1'));
    await site.quiet();
    expect(said(site)).toEqual(['404']);
    expect(site.posted.map(({ body }) => body.error)).toEqual(['noReceiver']);
  });
});
