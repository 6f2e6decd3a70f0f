import { describe, expect, it } from 'vitest';
import { protocolProfileSchema, replicatedTrunkSchema } from '#shared/contract/provisioning/index.ts';
import { answered } from '#test/support/appliance.ts';
import { CENTRE } from '#test/support/pair.ts';
import {
  AT_CENTRE,
  callbacksOf,
  centreBridge,
  keptPairs,
  type Pair,
  send,
  sendingPair,
} from '#test/support/sending.ts';

const opened = keptPairs();
const SECOND = 'sip:alarm@203.0.113.9';
const NUMBER = '+46855511000';
const FRAMES_AT = `${CENTRE}:12300`;
const ACCOUNT = { account: '12345678' };
const KEY = '000102030405060708090a0b0c0d0e0f';

/** A sender that watches its receiver; numbers leave by a trunk that ends at the centre. */
async function watched(target: Record<string, unknown> = {}, mapper: Record<string, unknown> = {}) {
  const made = await sendingPair(
    { protocol: 'scaip', destAddr: AT_CENTRE, ...target },
    { mapper: { enableDestinationMonitoring: true, ...mapper } },
  );
  opened.push(made);
  const trunk = { id: 't1', name: 'Carrier', hosts: [{ uri: `sip:${CENTRE}:5060` }], optionsInterval: 0 };
  made.sender.tenant.put('trunk', 't1', replicatedTrunkSchema.parse(trunk));
  const dc07 = { name: 'software', kind: 'ip', extends: 'dc07', content: { enabled: true } };
  for (const site of [made.sender, made.centre])
    site.tenant.put('protocolprofile', 'software', protocolProfileSchema.parse(dc07));
  centreBridge(made, 'scaip');
  made.sender.notify('https://app.example/alarms');
  return made;
}

/** A centre that takes frames of this account. */
const framesAt = (made: Pair, fields: Record<string, unknown> = {}) =>
  centreBridge(made, 'dc09', { id: 'panels', destinationMatch: '#12345678$', ...fields });

/** Platform alarms about the destinations, in order. */
const events = (made: Pair) =>
  made.sender.posted
    .filter(({ target }) => target.url.endsWith('/alarms'))
    .map(({ body }) => [body.type, body.destination]);

/** Nothing of the sender's reaches its receiver any more, or all of it again. */
function cut(made: Pair, yes: boolean): void {
  made.lose((to) => yes && to === made.centre.address);
  made.frames.cutTo(() => yes);
}

/** Request-URIs of the OPTIONS that the sender's site sends while nothing else is to do. */
async function askedIn(made: Pair, ms: number): Promise<string[]> {
  const asked: string[] = [];
  made.lose((_, bytes) => {
    const uri = /^OPTIONS (\S+) /.exec(bytes.toString('latin1'))?.[1];
    if (uri !== undefined) asked.push(uri);
    return false;
  });
  await made.after(ms);
  return asked;
}

describe.each([
  { protocol: 'scaip', destAddr: AT_CENTRE, asked: AT_CENTRE },
  { protocol: 'nowip', destAddr: AT_CENTRE, asked: AT_CENTRE },
  { protocol: 'bs8521', destAddr: AT_CENTRE, asked: AT_CENTRE },
  { protocol: 'tt92', destAddr: AT_CENTRE, asked: AT_CENTRE },
  { protocol: 'ttnew', destAddr: AT_CENTRE, asked: AT_CENTRE },
  { protocol: 'voicecall', destAddr: AT_CENTRE, asked: AT_CENTRE },
  { protocol: 'bs8521', destAddr: NUMBER, asked: `sip:${NUMBER}@${CENTRE}:5060` },
  { protocol: 'voicecall', destAddr: `tel:${NUMBER}`, asked: `sip:${NUMBER}@${CENTRE}:5060` },
  { protocol: 'sia-dcs', destAddr: FRAMES_AT, dc09: ACCOUNT },
  { protocol: 'adm-cid', destAddr: FRAMES_AT, dc09: { ...ACCOUNT, key: KEY, transport: 'udp' } },
  {
    protocol: 'sia-dcs',
    destAddr: FRAMES_AT,
    dc09: { ...ACCOUNT, key: KEY, transport: 'udp' },
    profile: 'software',
  },
])('a receiver of $protocol at $destAddr (profile $profile) that is watched', (row) => {
  const { asked, profile, ...target } = row as typeof row & {
    asked?: string;
    profile?: string;
    dc09?: object;
  };
  const named = profile === undefined ? {} : { protocolProfile: profile };
  const begun = async () => {
    const made = await watched(target, named);
    if (asked === undefined)
      framesAt(made, {
        ...named,
        ...(profile === undefined && 'key' in (target.dc09 ?? {}) && { dc09: { key: KEY } }),
      });
    return made;
  };

  it('is asked once a minute, and no one is notified while it answers', async () => {
    const made = await begun();
    const options = await askedIn(made, 301_000);
    if (asked === undefined) {
      expect(options).toEqual([]);
      expect(made.frames.sent).toHaveLength(6);
      const token = profile === undefined && 'key' in (target.dc09 ?? {}) ? '"*NULL"' : '"NULL"';
      for (const frame of made.frames.sent) expect(frame).toContain(`${token}0000L0#12345678[`);
    } else expect(options).toEqual(Array(6).fill(asked));
    expect(events(made)).toEqual([]);
  });

  it('that falls silent is reported once, and once when it answers again', async () => {
    const made = await begun();
    await made.after(1_000);
    cut(made, true);
    await made.after(300_000);
    expect(events(made)).toEqual([['destinationDown', target.destAddr]]);
    cut(made, false);
    await made.after(100_000);
    expect(events(made)).toEqual([
      ['destinationDown', target.destAddr],
      ['destinationUp', target.destAddr],
    ]);
  });
});

describe('a receiver that is watched (enableDestinationMonitoring)', () => {
  it('is back as soon as it takes an event, whatever the minute says', async () => {
    const made = await watched();
    cut(made, true);
    await made.after(100_000);
    expect(events(made)).toHaveLength(1);
    made.lose((_, bytes) => bytes.toString('latin1').startsWith('OPTIONS '));
    await send(made);
    await made.after(1_000);
    expect(callbacksOf(made.sender, 'alarmSent')).toHaveLength(1);
    expect(events(made).at(-1)).toEqual(['destinationUp', AT_CENTRE]);
  });

  it('is watched on both its transports, each for itself', async () => {
    const made = await watched({ backupEndpoint: { backupDestAddr: SECOND } });
    await made.after(100_000);
    expect(events(made)).toEqual([['destinationDown', SECOND]]);
  });

  it('is watched no longer when its event sender says so', async () => {
    const made = await watched();
    await made.after(1_000);
    made.sender.mapper({ protocol: 'scaip', destAddr: AT_CENTRE }, { enableDestinationMonitoring: false });
    await made.after(1_000);
    expect(await askedIn(made, 200_000)).toEqual([]);
  });

  it('is there when one host of its trunks is, whichever answers', async () => {
    const made = await watched({ protocol: 'voicecall', destAddr: NUMBER });
    const hosts = [
      { uri: 'sip:203.0.113.9:5060', priority: 1 },
      { uri: `sip:${CENTRE}:5060`, priority: 2 },
    ];
    const trunk = { id: 't1', name: 'Carrier', hosts, optionsInterval: 0 };
    made.sender.tenant.put('trunk', 't1', replicatedTrunkSchema.parse(trunk));
    await made.after(200_000);
    expect(events(made)).toEqual([]);
  });

  it('is reported when no trunk takes its number: no alarm would reach it', async () => {
    const made = await watched({ protocol: 'bs8521', destAddr: '+4711', terminatingTrunkGroupId: 'nobody' });
    await made.after(1_000);
    expect(events(made)).toEqual([['destinationDown', '+4711']]);
  });

  it('is reported, with target callback, by the events that it does not take, and never asked', async () => {
    const url = 'https://partner.example/alarm';
    const made = await watched({ protocol: 'callback', partnerUrl: url, destAddr: undefined });
    expect(await askedIn(made, 200_000)).toEqual([]);
    expect(made.sender.posted).toEqual([]);
    let there = false;
    made.sender.answerBy(({ target }) =>
      there || !target.url.startsWith(url)
        ? answered({})
        : { kind: 'failed', code: 'unreachable', reason: 'nobody listens there' },
    );
    await send(made);
    await made.after(1_000);
    expect(events(made)).toEqual([['destinationDown', url]]);
    there = true;
    await made.until(() => callbacksOf(made.sender, 'alarmSent').length === 1, 200_000);
    expect(events(made).at(-1)).toEqual(['destinationUp', url]);
  });

  it('is reported, in DC-09 without an account to say, by its events, and the site learns why', async () => {
    const made = await watched({ protocol: 'sia-dcs', destAddr: FRAMES_AT });
    framesAt(made);
    await made.after(200_000);
    expect(made.frames.sent).toEqual([]);
    expect(made.sender.logged.filter((line) => line.includes('dc09.account is not set'))).toHaveLength(1);
    cut(made, true);
    await send(made);
    await made.after(1_000);
    expect(events(made)).toEqual([['destinationDown', FRAMES_AT]]);
  });
});
