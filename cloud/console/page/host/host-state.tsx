import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { contactWords } from '../../component/wording/host-words.ts';
import { roleWord } from '../../component/wording/site-words.ts';
import type { Detail } from './host-detail.ts';

/** Bad when they hold; the others are bad when they do not. */
const BAD_WHEN_TRUE = ['MemoryPressure', 'DiskPressure', 'UpdatePending', 'OverrideActive', 'DrainBlocked'];

/** The report of a host, and its observed state. */
export function Facts({ detail }: { readonly detail: Detail }) {
  const { certificate, measured, network, outbox, peers, services } = detail;
  const waiting = Object.entries(outbox).filter(([lane, count]) => lane !== 'oldestS' && count > 0);
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <Badge word={detail.status} /> {detail.lifecycle} since <Ago at={detail.lifecycleSince} />,{' '}
        {detail.connectivity} since <Ago at={detail.connectivitySince} />
      </dd>
      <dt>Last heard of</dt>
      <dd>{detail.lastSeen === undefined ? 'never' : <Ago at={detail.lastSeen} />}</dd>
      <dt>Contact</dt>
      <dd>{contactWords(detail.contact)}</dd>
      <dt>In its site</dt>
      <dd>
        {detail.roles.map((role) => (
          <span key={role} className="label">
            {roleWord(role)}
          </span>
        ))}
        {detail.roles.length === 0 && 'no role of its own'}
        {detail.epoch !== undefined && `, term ${detail.epoch}`}{' '}
        <PageLink page="site" rest={detail.siteId}>
          The site and its history
        </PageLink>
      </dd>
      <dt>Services</dt>
      <dd>
        {Object.keys(services).length === 0 && 'not known yet'}
        {Object.entries(services).map(([name, state]) => (
          <span key={name} className={state === 'ok' ? 'label' : 'label warn'}>
            {name} {state}
          </span>
        ))}
      </dd>
      <dt>Calls</dt>
      <dd>{detail.calls ?? 0}</dd>
      <dt>Other hosts</dt>
      <dd>
        {Object.keys(peers).length === 0 && 'none that it knows'}
        {Object.entries(peers).map(([name, state]) => (
          <span key={name} className={state === 'ok' ? 'label' : 'label warn'}>
            {name} {state}
          </span>
        ))}
      </dd>
      <dt>Waiting to be sent</dt>
      <dd>
        {waiting.map(([lane, count]) => `${lane} ${count}`).join(', ') || 'nothing'}
        {waiting.length > 0 &&
          outbox.oldestS !== undefined &&
          `, the oldest for ${span(1_000 * outbox.oldestS)}`}
      </dd>
      <dt>Machine</dt>
      <dd>{machine(measured) || 'not known yet'}</dd>
      <dt>Clock</dt>
      <dd>
        {detail.clockSynchronised === undefined
          ? 'not known yet'
          : detail.clockSynchronised
            ? 'has a source'
            : '~ has no time source: its times are estimates'}
      </dd>
      <dt>Network</dt>
      <dd>
        {network === undefined
          ? 'by DHCP, or as set up on site'
          : network.networkInterfaces.map((each) => `${each}/${network.networkPrefixLength}`).join(', ')}
      </dd>
      <dt>Labels</dt>
      <dd>
        {detail.hostLabels.map((label) => (
          <span key={label} className="label">
            {label}
          </span>
        ))}
      </dd>
      <dt>Certificate</dt>
      <dd>
        {certificate.expiresAt === undefined
          ? 'none yet'
          : `${Math.floor((certificate.expiresAt - Date.now()) / 86_400_000)} days left, generation ${certificate.generation}`}
      </dd>
      {detail.keyFingerprint !== undefined && (
        <>
          <dt>Key</dt>
          <dd>
            <code>{detail.keyFingerprint}</code>, as the machine shows it when it enrols
          </dd>
        </>
      )}
      <dt>Version</dt>
      <dd>
        {detail.version}
        {detail.serial !== undefined && `, serial number ${detail.serial}`}
      </dd>
      <dt>Address</dt>
      <dd>{detail.siteBaseUrl ?? 'not notified yet'}</dd>
    </dl>
  );
}

/** Figures of heartbeats, in words. */
function machine({ memFreeMb, memPct, diskPct, load1, fsyncP99Ms, tempC }: Detail['measured']): string {
  const parts = [
    memFreeMb === undefined ? undefined : `${memFreeMb} MB of memory free`,
    memPct === undefined ? undefined : `${memPct} % used`,
    diskPct === undefined ? undefined : `disk ${diskPct} % full`,
    load1 === undefined ? undefined : `load ${load1}`,
    fsyncP99Ms === undefined ? undefined : `writing takes ${fsyncP99Ms} ms (p99)`,
    tempC === undefined ? undefined : `${tempC} °C`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

export function Conditions({ conditions }: { readonly conditions: Detail['conditions'] }) {
  const bad = Object.entries(conditions).filter(
    ([name, { status }]) => status === BAD_WHEN_TRUE.includes(name),
  );
  if (bad.length === 0) return null;
  return (
    <ul className="conditions">
      {bad.map(([name, { message, since }]) => (
        <li key={name}>
          <strong>{name}</strong> {message}{' '}
          <span className="dim">
            since <Ago at={since} />
          </span>
        </li>
      ))}
    </ul>
  );
}
