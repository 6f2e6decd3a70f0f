import { setTimeout as pause } from 'node:timers/promises';
import { client, demo, domain } from '../kit.ts';

/* A site behind NAT: its host opens every connection itself, so that no port of the site is open. The platform reaches it through
   the connection that the host holds, for commands of an application too. */

const [SITE = 'behind-nat'] = process.argv.slice(3);
const HOST = `${SITE}-1`;

await client.call('postSiteByDomain', {
  domain,
  body: { siteId: SITE, name: 'Site behind NAT', profile: 'standard' },
});
const { claimCode } = await client.call('postSiteByDomainBySiteIdClaim', {
  domain,
  siteId: SITE,
  body: { hostId: HOST, expiresIn: 3_600 },
});
console.log('on the machine of the site:');
console.log(`  carillon appliance --cloud ${demo.api} --claim ${claimCode}`);

/** The state of the host as the platform sees it. */
async function status(): Promise<string> {
  const { data } = await client.call('getSiteByDomain', { domain });
  return data.site.find(({ hostId, siteId }) => siteId === SITE && hostId === HOST)?.status ?? 'not enrolled';
}

for (let seen = ''; seen !== 'online'; await pause(1_000)) {
  const now = await status();
  if (now !== seen) console.log(`${HOST} is ${now}`);
  seen = now;
}

// A question by the connection of the host: nothing is dialled towards the site.
const answer = await client.call('postSiteByDomainBySiteIdHostByHostIdRpc', {
  domain,
  ...{ siteId: SITE, hostId: HOST },
  body: { op: 'ping' },
});
console.log(`${HOST} answers: ${JSON.stringify(answer)}`);
process.exit(0);
