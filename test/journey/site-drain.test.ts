import { afterEach, describe, expect, it } from 'vitest';
import { drainProgressSchema } from '#shared/contract/feed/index.ts';
import { answered } from '#test/support/appliance.ts';
import {
  desired,
  type HostWords,
  SERVICES,
  type SiteHost,
  type SiteHosts,
  siteHosts,
} from '#test/support/site-hosts.ts';

/* Whole appliances of one site: one is drained, and its services go where labels, free memory and spread say. */

const OP = '01jc7z5t3k9q8w6m4n2p0r1s5v';
const free = (freeMb: number): HostWords => ({ memory: { freeMb, freePct: 50 } });

let site: SiteHosts;
afterEach(async () => {
  for (const { site: each } of site.hosts)
    expect(each.logged.filter((line) => line.includes('defect'))).toEqual([]);
  await site.close();
});

async function open(...words: HostWords[]): Promise<readonly [SiteHost, SiteHost, SiteHost]> {
  site = await siteHosts(words);
  for (const { site: each } of site.hosts) {
    each.bridge();
    each.answerBy(() => answered({ action: 'drop' }));
  }
  const [one, two, three] = site.hosts;
  if (one === undefined || two === undefined) throw new Error('a site has two hosts');
  return [one, two, three ?? two];
}

const drained = (host: SiteHost, more = {}): void =>
  host.drain.twinChanged(desired('draining', { op: OP, ...more }));

/** Each service as it was last reported: its state, and the host that takes it. */
function places({ reported }: SiteHost): Readonly<Record<string, string>> {
  const last = drainProgressSchema.parse(reported.at(-1));
  return Object.fromEntries(last.services.map(({ name, state, to }) => [name, `${state} ${to ?? '-'}`]));
}

const steps = ({ reported }: SiteHost): readonly string[] => [
  ...new Set(
    reported.map(({ step, blocked }) => (blocked === undefined ? step : `${step}: ${blocked.code}`)),
  ),
];

const alarm = ({ site: each }: SiteHost, reference: string): void =>
  each.request('MESSAGE', 'unit-1', {
    body: `<mrq><ref>${reference}</ref><cid>c-1</cid><dty>0003</dty><stc>0010</stc></mrq>`,
  });

const options = async ({ site: each }: SiteHost): Promise<readonly (number | undefined)[]> => {
  each.take();
  each.request('OPTIONS', 'proxy');
  await each.quiet();
  return each.take().map((message) => ('status' in message ? message.status : undefined));
};

describe('a site of two hosts', () => {
  it('the other one takes everything, alarms are taken until it has the address, and the return is open', async () => {
    const [one, two] = await open(free(1_000), free(1_000));
    site.moveVip(one);
    await site.after(1_000);
    drained(one);
    await site.after(2_000);
    expect(one.drain.at).toBe('services');
    expect(places(one)).toEqual(Object.fromEntries(SERVICES.map((name) => [name, 'moving h2'])));
    expect(await options(one)).toEqual([503]);
    expect(await options(two)).toEqual([200]);
    alarm(one, 'A1');
    await site.after(1_000);
    expect(one.site.posted).toHaveLength(1);
    site.moveVip(two);
    await site.after(3_000);
    expect(places(one)).toEqual(Object.fromEntries(SERVICES.map((name) => [name, 'moved h2'])));
    expect(steps(one)).toEqual(['services', 'done']);
    alarm(one, 'A2');
    await site.after(1_000);
    expect(one.site.posted).toHaveLength(1);
    one.drain.twinChanged(desired('active'));
    await site.after(1_000);
    expect(await options(one)).toEqual([200]);
    expect(one.peers.view.links[two.uid]?.hello?.serving).toBe(true);
  });

  it('one that may not take a service blocks the drain, which goes on as soon as it may', async () => {
    const [one, two] = await open(free(1_000), {
      ...free(1_000),
      labels: SERVICES.filter((name) => name !== 'recording').map((name) => `svc=${name}`),
    });
    drained(one);
    await site.after(3_000);
    expect(steps(one)).toEqual(['services: noCapacity']);
    expect(places(one)).toMatchObject({ recording: 'assigned -', alarm: 'moving h2' });
    expect(one.reported.at(-1)?.blocked?.message).toContain('recording');
    alarm(one, 'A1');
    await site.after(1_000);
    expect(one.site.posted).toHaveLength(1);
    Object.assign(two.words, { labels: [] });
    await site.after(3_000);
    expect(one.drain.at).toBe('done');
  });

  it('one short of memory takes nothing', async () => {
    const [one, two] = await open(free(1_000), free(200));
    drained(one);
    await site.after(3_000);
    expect(steps(one)).toEqual(['services: noCapacity']);
    Object.assign(two.words, free(2_000));
    await site.after(3_000);
    expect(one.drain.at).toBe('done');
  });

  it('the other one is lost before it has everything: the drain waits for it', async () => {
    const [one, two] = await open(free(1_000), free(1_000));
    site.moveVip(one);
    drained(one);
    await site.after(2_000);
    site.kill(two);
    await site.after(6_000);
    expect(steps(one)).toEqual(['services', 'services: peerUnreachable']);
    expect(one.drain.at).toBe('services');
  });
});

describe('a site of three hosts', () => {
  it('services spread by free memory, and the leader decides for the one that is drained', async () => {
    const [one, two, three] = await open(free(4_000), free(2_000), free(1_000));
    // Neither the leader nor the one that is drained.
    expect(one.peers.leads).toBe(true);
    drained(two);
    await site.after(3_000);
    expect(places(two)).toEqual({
      sip: 'moved h1',
      media: 'moved h1',
      alarm: 'moved h1',
      callback: 'moved h1',
      recording: 'moved h3',
    });
    expect(three.drain.at).toBe('serving');
  });

  it('labels shared with the drained host come before memory', async () => {
    const [one] = await open(
      { ...free(1_000), labels: ['room=1'] },
      { ...free(8_000), labels: ['room=2'] },
      { ...free(600), labels: ['room=1'] },
    );
    drained(one);
    await site.after(3_000);
    expect(new Set(Object.values(places(one)))).toEqual(new Set(['moved h3']));
  });

  it('two that are drained at once share what is left, and a place is kept while others come', async () => {
    const [one, two, three] = await open(free(1_000), free(1_000), free(1_000));
    site.moveVip(one);
    await site.after(1_000);
    drained(one);
    await site.after(2_000);
    const first = places(one);
    expect(new Set(Object.values(first))).toEqual(new Set(['moving h2', 'moving h3']));
    drained(two);
    await site.after(2_000);
    // The second host left: what it had goes to the third.
    expect(new Set(Object.values(places(one)))).toEqual(new Set(['moving h3']));
    expect(new Set(Object.values(places(two)))).toEqual(new Set(['moved h3']));
    two.drain.twinChanged(desired('active'));
    await site.after(2_000);
    expect(new Set(Object.values(places(one)))).toEqual(new Set(['moving h3']));
    site.moveVip(three);
    await site.after(2_000);
    expect(new Set(Object.values(places(one)))).toEqual(new Set(['moved h3']));
  });

  it('a leader that gets lost leaves its places to the next one', async () => {
    const [one, two, three] = await open(free(1_000), free(1_000), free(1_000));
    site.moveVip(two);
    await site.after(1_000);
    drained(two);
    await site.after(1_000);
    expect(new Set(Object.values(places(two)))).toEqual(new Set(['moving h1', 'moving h3']));
    site.kill(one);
    await site.after(6_000);
    expect(new Set(Object.values(places(two)))).toEqual(new Set(['moving h3']));
    site.moveVip(three);
    await site.after(2_000);
    expect(new Set(Object.values(places(two)))).toEqual(new Set(['moved h3']));
  });
});
