import { type Signal, useSignal } from '@preact/signals';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { linkTo, place } from '../../client/route.ts';
import { domain, mayProvision, mayService } from '../../client/session.ts';
import { Ago } from '../../part/age.tsx';
import { Badge } from '../../part/badge.tsx';
import { Dialog } from '../../part/dialog.tsx';
import { Head } from '../../part/head.tsx';
import { Empty, Stale } from '../../part/notice.tsx';
import { ClaimForm } from '../host/claim.tsx';
import { HostPart } from '../host/host.tsx';
import type { Host } from '../host/host-detail.ts';
import { Maintenance, MaintenanceForm, useMaintenance } from '../host/maintenance.tsx';
import { SiteForm } from './site-form.tsx';

type Overview = Operations['getSiteByDomain']['answer']['data'];
type Site = Overview['sites'][number];

const STEP_MS = 3_000;
/** Sites that are drawn at once: a page of ten thousand hosts is of no use to anybody. */
const SITES_AT_ONCE = 40;
/** Heartbeat of each supervision profile. */
const PROFILES = { high: 'every 10 s', standard: 'every 30 s', economy: 'every 2 min' } as const;

/** Sites with their hosts; what needs a person comes first. */
export function FleetPage() {
  const claiming = useSignal<string | undefined>(undefined);
  const making = useSignal(false);
  const serviced = useSignal<string | undefined>(undefined);
  const maintenance = useMaintenance();
  const wanted = useSignal('');
  const most = useSignal(SITES_AT_ONCE);
  const live = useLive(() => api.call('getSiteByDomain', { domain: domain.value }), [domain.value], STEP_MS, [
    'host',
  ]);
  const { value, at, failure, again } = live.value;
  const { site: hosts = [], sites = [] } = value?.data ?? {};
  const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = inOrder(sites, hosts, words);
  const open = hosts.find((host) => `${host.siteId}/${host.hostId}` === place.value.rest);
  return (
    <>
      <header class="page">
        <h1>Fleet</h1>
        <Sum hosts={hosts} wanted={wanted} />
        <input
          type="search"
          aria-label="Find hosts by site, name, label or state"
          placeholder="Site, host, label or state"
          value={wanted.value}
          onInput={(event) => {
            wanted.value = event.currentTarget.value;
          }}
        />
        {at > 0 && (
          <p class="dim flat">
            seen <Ago at={at} />
          </p>
        )}
        {mayProvision.value && (
          <button
            type="button"
            class="plain"
            onClick={() => {
              making.value = true;
            }}
          >
            Create a site
          </button>
        )}
      </header>
      <Stale failure={failure} at={at} />
      <Maintenance live={maintenance.value} />
      {value !== undefined && sites.length === 0 && (
        <Empty>
          <h2>No sites yet</h2>
          <p>
            A site is a place with one or more appliances. &quot;Make a site&quot;, then a claim code for its
            first host.
          </p>
        </Empty>
      )}
      {sites.length > 0 && found.length === 0 && <p class="dim none">No entry has this name or state.</p>}
      {found.slice(0, most.value).map(({ site, hosts: shown }) => (
        <section key={site.siteId} class="site">
          <header>
            <h2>
              <a href={linkTo('site', site.siteId)}>{site.name ?? site.siteId}</a>
            </h2>
            <p class="dim about">
              {site.siteId}, heartbeat {PROFILES[site.profile]}
            </p>
            {mayService.value && (
              <>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    serviced.value = site.siteId;
                  }}
                >
                  Maintenance
                </button>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    claiming.value = site.siteId;
                  }}
                >
                  Add a host
                </button>
              </>
            )}
          </header>
          <Hosts site={site} hosts={shown} />
        </section>
      ))}
      {found.length > most.value && (
        <button
          type="button"
          class="plain more"
          onClick={() => {
            most.value += SITES_AT_ONCE;
          }}
        >
          Show more of {found.length} sites
        </button>
      )}
      {making.value && (
        <Dialog
          title="Create a site"
          onClose={() => {
            making.value = false;
          }}
        >
          <SiteForm
            done={(siteId) => {
              making.value = false;
              claiming.value = siteId;
              again();
            }}
          />
        </Dialog>
      )}
      {serviced.value !== undefined && (
        <Dialog
          title={`Maintenance of ${serviced.value}`}
          onClose={() => {
            serviced.value = undefined;
          }}
        >
          <MaintenanceForm
            siteId={serviced.value}
            done={() => {
              serviced.value = undefined;
              maintenance.value.again();
            }}
          />
        </Dialog>
      )}
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
          <HostPart
            host={open}
            hosts={hosts}
            again={() => {
              again();
              maintenance.value.again();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** Sites with what was looked for, the one in the worst state first. */
function inOrder(sites: readonly Site[], hosts: readonly Host[], words: readonly string[]) {
  const bySite = Map.groupBy(hosts, ({ siteId }) => siteId);
  return sites
    .map((site) => {
      const all = (bySite.get(site.siteId) ?? []).toSorted((a, b) => urgency(a) - urgency(b));
      return { site, hosts: isCalled(site, words) ? all : all.filter((host) => matches(host, words)) };
    })
    .filter(({ site, hosts: shown }) => shown.length > 0 || words.length === 0 || isCalled(site, words))
    .toSorted((a, b) => worst(a.hosts) - worst(b.hosts) || (a.site.siteId < b.site.siteId ? -1 : 1));
}

const isCalled = ({ siteId, name = '' }: Site, words: readonly string[]): boolean =>
  words.every((word) => `${siteId} ${name}`.toLowerCase().includes(word));

const worst = ([first]: readonly Host[]): number => (first === undefined ? URGENCY.length : urgency(first));

function matches(host: Host, words: readonly string[]): boolean {
  const { siteId, hostId, hostName, status, vendorSpecificDistressString, hostLabels } = host;
  const text = [siteId, hostId, hostName, status, vendorSpecificDistressString, ...hostLabels]
    .join(' ')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** How many are in which state, worst first; each is a way to see only those. */
function Sum({ hosts, wanted }: { readonly hosts: readonly Host[]; readonly wanted: Signal<string> }) {
  const counts = Map.groupBy(hosts, ({ status }) => status);
  return (
    <p class="sum flat">
      {[...counts]
        .toSorted(([a], [b]) => URGENCY.indexOf(a) - URGENCY.indexOf(b))
        .map(([status, all]) => (
          <button
            key={status}
            type="button"
            class="count-of"
            aria-pressed={wanted.value === status}
            onClick={() => {
              wanted.value = wanted.value === status ? '' : status;
            }}
          >
            {all.length} <Badge word={status} />
          </button>
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
const urgency = ({ status }: Host): number => URGENCY.indexOf(status);

function Hosts({ site, hosts }: { readonly site: Site; readonly hosts: readonly Host[] }) {
  if (hosts.length === 0)
    return (
      <p class="dim none">
        No host is shown. &quot;Add a host&quot; makes a code by which a machine joins {site.siteId}.
      </p>
    );
  return (
    <table class="cards">
      <Head columns={['Host', 'State', 'Problems', 'Labels']} />
      <tbody>
        {hosts.map((host) => (
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
