import { afterEach, expect, it } from 'vitest';
import { type SiteHosts, siteHosts } from '#test/support/site-hosts.ts';

/* The hosts of a site compare who has the address: two that hold it for more than three seconds are reported. */

let site: SiteHosts;
afterEach(() => site.close());

it('an address that two hosts hold is reported by both after three seconds, and when it is over', async () => {
  site = await siteHosts([{}, {}]);
  const [one, two] = site.hosts;
  if (one === undefined || two === undefined) throw new Error('a site has two hosts');
  site.moveVip(one);
  await site.after(10_000);
  expect([one.vipTwice, two.vipTwice]).toEqual([[], []]);
  // As it moves both may hold it for a moment.
  two.believesVip = true;
  await site.after(2_500);
  two.believesVip = undefined;
  await site.after(5_000);
  expect([one.vipTwice, two.vipTwice]).toEqual([[], []].map(() => expect.not.arrayContaining([true])));
  two.believesVip = true;
  await site.after(6_000);
  expect([one.vipTwice.at(-1), two.vipTwice.at(-1)]).toEqual([true, true]);
  two.believesVip = undefined;
  await site.after(2_000);
  expect([one.vipTwice.at(-1), two.vipTwice.at(-1)]).toEqual([false, false]);
});

it('two halves that do not hear each other cannot compare, and say nothing of it', async () => {
  site = await siteHosts([{}, {}]);
  const [one, two] = site.hosts;
  if (one === undefined || two === undefined) throw new Error('a site has two hosts');
  site.moveVip(one);
  await site.after(1_000);
  site.part(one, two);
  await site.after(6_000);
  two.believesVip = true;
  await site.after(6_000);
  expect([one.vipTwice, two.vipTwice].flat()).not.toContain(true);
  // Each leads its half.
  expect([one.peers.leads, two.peers.leads]).toEqual([true, true]);
});
