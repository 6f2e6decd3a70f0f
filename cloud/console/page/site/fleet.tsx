import { Trans, useLingui } from '@lingui/react/macro';
import { memo, useDeferredValue, useMemo, useState } from 'react';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import type { Host } from '../../client/host-detail.ts';
import { useLive } from '../../client/live.ts';
import { domain, mayProvision, mayService } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Empty, Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { WhoMay } from '../../component/who-may.tsx';
import { problemsOf } from '../../component/wording/host-problem.ts';
import { ClaimForm } from '../host/claim.tsx';
import { Maintenance, MaintenanceForm, useMaintenance } from '../host/maintenance.tsx';
import { SiteForm } from './site-form.tsx';

type Overview = Operations['getSiteByDomain']['answer']['data'];
type Site = Overview['sites'][number];

const STEP_MS = 3_000;
/** Sites that are drawn at once: a page of ten thousand hosts is of no use to anybody. */
const SITES_AT_ONCE = 40;
/** Heartbeat of each supervision profile. */
const PROFILES = { high: '10 s', standard: '30 s', economy: '2 min' } as const;

/** Sites with their hosts; what needs a person comes first. */
export function FleetPage() {
  const { t } = useLingui();
  const [claiming, setClaiming] = useState<string | undefined>(undefined);
  const [making, setMaking] = useState(false);
  const [serviced, setServiced] = useState<string | undefined>(undefined);
  const maintenance = useMaintenance();
  const [wanted, setWanted] = useState('');
  const [most, setMost] = useState(SITES_AT_ONCE);
  const live = useLive(
    () => api.call('getSiteByDomain', { domain: domain.value }),
    [domain.value],
    STEP_MS,
    ['host'],
    'fleet',
  );
  const { value, at, failure, again } = live;
  const { site: hosts, sites } = value?.data ?? NOTHING;
  // The field shows what is typed at once; the list of ten thousand hosts follows when there is time.
  const sought = useDeferredValue(wanted);
  const places = useMemo(() => placesOf(sites, hosts), [sites, hosts]);
  const found = useMemo(() => foundIn(places, sought), [places, sought]);
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Fleet</Trans>
        </h1>
        <Sum hosts={hosts} wanted={wanted} onWant={setWanted} />
        <input
          type="search"
          aria-label={t`Find hosts by site, name, label or state`}
          placeholder={t`Site, host, label or state`}
          value={wanted}
          onChange={(event) => {
            setWanted(event.currentTarget.value);
          }}
        />
        {at > 0 && (
          <p className="dim flat">
            <Trans>
              seen <Ago at={at} />
            </Trans>
          </p>
        )}
        {mayProvision.value && (
          <button
            type="button"
            className="plain"
            onClick={() => {
              setMaking(true);
            }}
          >
            <Trans>Create a site</Trans>
          </button>
        )}
      </header>
      <Stale failure={failure} at={at} />
      <WhoMay need="service" />
      <Maintenance live={maintenance} />
      {value !== undefined && sites.length === 0 && (
        <Empty>
          <h2>
            <Trans>No sites yet</Trans>
          </h2>
          <p>
            <Trans>
              A site is a place with one or more appliances. &quot;Create a site&quot;, then a claim code for
              its first host.
            </Trans>
          </p>
        </Empty>
      )}
      {sites.length > 0 && found.length === 0 && (
        <p className="dim none">
          <Trans>No entry has this name or state.</Trans>
        </p>
      )}
      {found.slice(0, most).map(({ site, hosts: shown }) => (
        <section key={site.siteId} className="site">
          <header>
            <h2>
              <PageLink page="site" rest={site.siteId}>
                {site.name ?? site.siteId}
              </PageLink>
            </h2>
            <p className="dim about">
              <Trans>
                {site.siteId}, heartbeat every {PROFILES[site.profile]}
              </Trans>
            </p>
            {mayService.value && (
              <>
                <button
                  type="button"
                  className="plain"
                  onClick={() => {
                    setServiced(site.siteId);
                  }}
                >
                  <Trans>Maintenance</Trans>
                </button>
                <button
                  type="button"
                  className="plain"
                  onClick={() => {
                    setClaiming(site.siteId);
                  }}
                >
                  <Trans>Add a host</Trans>
                </button>
              </>
            )}
          </header>
          <Hosts site={site} hosts={shown} />
        </section>
      ))}
      {found.length > most && (
        <button
          type="button"
          className="plain more"
          onClick={() => {
            setMost((shown) => shown + SITES_AT_ONCE);
          }}
        >
          <Trans>Show more of {found.length} sites</Trans>
        </button>
      )}
      {making && (
        <Dialog
          title={t`Create a site`}
          onClose={() => {
            setMaking(false);
          }}
        >
          <SiteForm
            done={(siteId) => {
              setMaking(false);
              setClaiming(siteId);
              again();
            }}
          />
        </Dialog>
      )}
      {serviced !== undefined && (
        <Dialog
          title={t`Maintenance of ${serviced}`}
          onClose={() => {
            setServiced(undefined);
          }}
        >
          <MaintenanceForm
            siteId={serviced}
            done={() => {
              setServiced(undefined);
              maintenance.again();
            }}
          />
        </Dialog>
      )}
      {claiming !== undefined && (
        <Dialog
          title={t`Add a host to ${claiming}`}
          onClose={() => {
            setClaiming(undefined);
          }}
        >
          <ClaimForm siteId={claiming} />
        </Dialog>
      )}
    </>
  );
}

/** A site with its hosts, the worst first. */
interface Place {
  readonly site: Site;
  readonly hosts: readonly Host[];
}

const NOTHING: { readonly site: readonly Host[]; readonly sites: readonly Site[] } = { site: [], sites: [] };

/** All sites, the one in the worst state first. */
function placesOf(sites: readonly Site[], hosts: readonly Host[]): readonly Place[] {
  const bySite = Map.groupBy(hosts, ({ siteId }) => siteId);
  return inOrder(
    sites.map((site) => ({
      site,
      hosts: (bySite.get(site.siteId) ?? []).toSorted((a, b) => urgency(a) - urgency(b)),
    })),
  );
}

/** The sites and hosts that have every word of `wanted` in what is said of them. */
function foundIn(places: readonly Place[], wanted: string): readonly Place[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return places;
  const found = places.flatMap((place) => {
    if (has(place, siteText, words)) return [place];
    const hosts = place.hosts.filter((host) => has(host, hostText, words));
    return hosts.length === 0 ? [] : [{ site: place.site, hosts }];
  });
  return inOrder(found);
}

const inOrder = (places: readonly Place[]): readonly Place[] =>
  places.toSorted((a, b) => worst(a.hosts) - worst(b.hosts) || (a.site.siteId < b.site.siteId ? -1 : 1));

const worst = ([first]: readonly Host[]): number => (first === undefined ? URGENCY.length : urgency(first));

/** Texts in lower case, made once for each answer: each letter that is typed reads them all. */
const texts: WeakMap<object, string> = new WeakMap();

function has<T extends object>(of: T, read: (of: T) => string, words: readonly string[]): boolean {
  let text = texts.get(of);
  if (text === undefined) {
    text = read(of).toLowerCase();
    texts.set(of, text);
  }
  return words.every((word) => text.includes(word));
}

const siteText = ({ site: { siteId, name = '' } }: Place): string => `${siteId} ${name}`;

const hostText = (host: Host): string => {
  const { siteId, hostId, hostName, status, vendorSpecificDistressString, hostLabels } = host;
  return [siteId, hostId, hostName, status, vendorSpecificDistressString, ...hostLabels].join(' ');
};

/** How many are in which state, worst first; each is a way to see only those. */
function Sum(props: {
  readonly hosts: readonly Host[];
  readonly wanted: string;
  readonly onWant: (words: string) => void;
}) {
  const { hosts, wanted, onWant } = props;
  const counts = Map.groupBy(hosts, ({ status }) => status);
  return (
    <p className="sum flat">
      {[...counts]
        .toSorted(([a], [b]) => URGENCY.indexOf(a) - URGENCY.indexOf(b))
        .map(([status, all]) => (
          <button
            key={status}
            type="button"
            className="count-of"
            aria-pressed={wanted === status}
            onClick={() => {
              onWant(wanted === status ? '' : status);
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

/** Drawn again when its hosts change, and not with each letter of a search. */
const Hosts = memo(function Hosts({ site, hosts }: { readonly site: Site; readonly hosts: readonly Host[] }) {
  const { t } = useLingui();
  if (hosts.length === 0)
    return (
      <p className="dim none">
        <Trans>
          No host is shown. &quot;Add a host&quot; makes a code by which a machine joins {site.siteId}.
        </Trans>
      </p>
    );
  return (
    <CardTable columns={[t`Host`, t`State`, t`Problems`, t`Labels`]}>
      <tbody>
        {hosts.map((host) => (
          <tr key={host.hostId}>
            <td>
              <PageLink page="host" rest={`${host.siteId}/${host.hostId}`}>
                {host.hostName}
              </PageLink>
              <div className="dim">{host.siteBaseUrl}</div>
            </td>
            <td>
              <Badge word={host.status} />
            </td>
            <td>
              {problemsOf(host).map(({ key, title, next }) => (
                <span key={key} className="label warn" title={next}>
                  {title}
                </span>
              ))}
            </td>
            <td>
              {host.hostLabels.map((label) => (
                <span key={label} className="label">
                  {label}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </CardTable>
  );
});
