import { useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Ago } from '../part/age.tsx';
import { Badge } from '../part/badge.tsx';
import { Dialog } from '../part/dialog.tsx';
import { Head } from '../part/head.tsx';
import { Empty, Stale } from '../part/notice.tsx';
import { linkTo, place } from '../route.ts';
import { domain, mayOperate } from '../session.ts';
import { ClaimForm } from './claim.tsx';
import { HostPart } from './host.tsx';

type Overview = Operations['getSiteByDomain']['answer']['data'];
export type Host = Overview['site'][number];
type Site = Overview['sites'][number];

const STEP_MS = 3_000;
/** Heartbeat of each supervision profile. */
const PROFILES = { high: 'every 10 s', standard: 'every 30 s', economy: 'every 2 min' } as const;

/** Sites with their hosts; what needs a person comes first. */
export function FleetPage() {
  const claiming = useSignal<string | undefined>(undefined);
  const wanted = useSignal('');
  const live = useLive(() => api.call('getSiteByDomain', { domain: domain.value }), [domain.value], STEP_MS, [
    'host',
  ]);
  const { value, at, failure, again } = live.value;
  const { site: hosts = [], sites = [] } = value?.data ?? {};
  const shown = hosts.filter((host) => matches(host, wanted.value));
  const open = hosts.find((host) => `${host.siteId}/${host.hostId}` === place.value.rest);
  return (
    <>
      <header class="page">
        <h1>Fleet</h1>
        <Sum hosts={hosts} />
        <input
          type="search"
          aria-label="Find a host by site, name, label or state"
          placeholder="Site, host, label or state"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value.trim().toLowerCase();
          }}
        />
        {at > 0 && (
          <p class="dim flat">
            seen <Ago at={at} />
          </p>
        )}
      </header>
      <Stale failure={failure} at={at} />
      {value !== undefined && sites.length === 0 && (
        <Empty>
          <h2>No sites yet</h2>
          <p>
            A site is a place with one or more appliances. Make one by <code>carillon site create</code>, then
            a claim code for its first host.
          </p>
        </Empty>
      )}
      {sites.map((site) => (
        <section key={site.siteId} class="site">
          <header>
            <h2>{site.name ?? site.siteId}</h2>
            <p class="dim about">
              {site.siteId}, heartbeat {PROFILES[site.profile]}
            </p>
            {mayOperate.value && (
              <button
                type="button"
                class="plain"
                onClick={() => {
                  claiming.value = site.siteId;
                }}
              >
                Add a host
              </button>
            )}
          </header>
          <Hosts site={site} hosts={shown.filter((host) => host.siteId === site.siteId)} />
        </section>
      ))}
      {claiming.value !== undefined && (
        <Dialog
          title={`Add a host to ${claiming.value}`}
          onClose={() => {
            claiming.value = undefined;
          }}
        >
          <ClaimForm siteId={claiming.value} />
        </Dialog>
      )}
      {open !== undefined && (
        <Dialog
          title={open.hostName}
          onClose={() => {
            location.hash = linkTo('fleet');
          }}
        >
          <HostPart host={open} hosts={hosts} again={again} />
        </Dialog>
      )}
    </>
  );
}

const matches = (host: Host, wanted: string): boolean =>
  wanted === '' ||
  [host.siteId, host.hostId, host.hostName, host.status, ...host.hostLabels].some((text) =>
    text.toLowerCase().includes(wanted),
  );

/** How many are in which state, worst first. */
function Sum({ hosts }: { readonly hosts: readonly Host[] }) {
  const counts = Map.groupBy(hosts, ({ status }) => status);
  return (
    <p class="sum flat">
      {[...counts]
        .toSorted(([a], [b]) => URGENCY.indexOf(a) - URGENCY.indexOf(b))
        .map(([status, all]) => (
          <span key={status}>
            {all.length} <Badge word={status} />
          </span>
        ))}
    </p>
  );
}

const URGENCY: readonly Host['status'][] = [
  'offline',
  'quarantined',
  'unstable',
  'degraded',
  'draining',
  'commissioning',
  'drained',
  'online',
  'decommissioned',
];

function Hosts({ site, hosts }: { readonly site: Site; readonly hosts: readonly Host[] }) {
  if (hosts.length === 0)
    return (
      <p class="dim none">
        No host is shown. &quot;Add a host&quot; makes a code by which a machine joins {site.siteId}.
      </p>
    );
  return (
    <table>
      <Head columns={['Host', 'State', 'What is wrong', 'Labels']} />
      <tbody>
        {hosts
          .toSorted((a, b) => URGENCY.indexOf(a.status) - URGENCY.indexOf(b.status))
          .map((host) => (
            <tr key={host.hostId}>
              <td>
                <a href={linkTo('fleet', `${host.siteId}/${host.hostId}`)}>{host.hostName}</a>
                <div class="dim">{host.siteBaseUrl}</div>
              </td>
              <td>
                <Badge word={host.status} />
              </td>
              <td>
                {host.vendorSpecificDistressString
                  .split(';')
                  .filter(Boolean)
                  .map((word) => (
                    <span key={word} class="label warn">
                      {word}
                    </span>
                  ))}
              </td>
              <td>
                {host.hostLabels.map((label) => (
                  <span key={label} class="label">
                    {label}
                  </span>
                ))}
              </td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
