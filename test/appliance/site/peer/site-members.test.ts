import { beforeEach, expect, it } from 'vitest';
import { SiteMembers } from '#appliance/site/peer/index.ts';

const uidOf = (order: number): string => `01jc7z5t3k9q8w6m4n2p0r1s5${order}`;
const host = (name: string, order: number): string =>
  JSON.stringify({
    uid: uidOf(order),
    hostId: `host-${name}`,
    publicKey: 'key',
    order,
    siteBaseUrl: `https://${name}.example`,
  });

let revs: { tenant: number; site: number; host: number; platform: number };
let rows: { site: string[]; host: string[] };
let reads: number;
let members: SiteMembers;
beforeEach(() => {
  revs = { tenant: 1, site: 2, host: 3, platform: 4 };
  rows = { site: [host('a', 1)], host: [] };
  reads = 0;
  members = new SiteMembers({
    standings: () => ({
      tenant: { rev: revs.tenant },
      site: { rev: revs.site },
      host: { rev: revs.host },
      platform: { rev: revs.platform },
    }),
    hosts: (scope) => {
      reads++;
      return rows[scope];
    },
    known: { 'host-b': ['192.0.2.7:9000'] },
  });
});

it('are read again only when site or host have another revision', () => {
  expect([members.look(), members.look(), reads]).toEqual([true, false, 2]);
  const before = members.all;
  revs.tenant++;
  expect([members.look(), members.all === before]).toEqual([false, true]);
  revs.site++;
  expect(members.look()).toBe(true);
  revs.host++;
  expect(members.look()).toBe(true);
});

it('know whether this host is alone, and the others by the addresses of the settings', () => {
  members.look();
  expect([members.hasOthers, members.hostIdOf(uidOf(1)), members.hostIdOf(uidOf(2))]).toEqual([
    false,
    'host-a',
    undefined,
  ]);
  rows.site.push(host('b', 2));
  revs.site++;
  members.look();
  expect(members.hasOthers).toBe(true);
  expect(members.all.map(({ address }) => address)).toEqual(['a.example:8446', '192.0.2.7:9000']);
});

it('name the labels of this host, as far as they are texts', () => {
  rows.host = ['{"labels":["lift",7,"north"]}', '{"labels":"none"}', '{}'];
  members.look();
  expect(members.labels).toEqual(['lift', 'north']);
});

it('say the revisions in force, also between two looks', () => {
  revs.tenant = 9;
  expect(members.revisions).toEqual({ tenant: 9, site: 2, platform: 4 });
});
