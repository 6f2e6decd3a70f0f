import { Trans, useLingui } from '@lingui/react/macro';
import { serverNow } from '../../client/clock.ts';
import type { Detail } from '../../client/host-detail.ts';
import { Ago, span } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { percent } from '../../component/wording/figure.ts';
import { contactWords } from '../../component/wording/host-words.ts';
import { roleWord } from '../../component/wording/site-words.ts';
import { stateName } from '../../component/wording/state-words.ts';

/** The report of a host, and its observed state. */
export function Facts({ detail }: { readonly detail: Detail }) {
  const { t } = useLingui();
  const { certificate, measured, network, outbox, peers, services } = detail;
  const lifecycle = t(stateName(detail.lifecycle));
  const connectivity = t(stateName(detail.connectivity));
  const waiting = Object.entries(outbox).filter(([lane, count]) => lane !== 'oldestS' && count > 0);
  return (
    <section>
      <h2>
        <Trans>Facts</Trans>
      </h2>
      <dl>
        <dt>
          <Trans>State</Trans>
        </dt>
        <dd>
          <Trans>
            <Badge word={detail.status} /> {lifecycle} since <Ago at={detail.lifecycleSince} />,{' '}
            {connectivity} since <Ago at={detail.connectivitySince} />
          </Trans>
        </dd>
        <dt>
          <Trans>Last heard of</Trans>
        </dt>
        <dd>{detail.lastSeen === undefined ? t`never` : <Ago at={detail.lastSeen} />}</dd>
        <dt>
          <Trans>Contact</Trans>
        </dt>
        <dd>{contactWords(detail.contact)}</dd>
        <dt>
          <Trans>In its site</Trans>
        </dt>
        <dd>
          {detail.roles.map((role) => (
            <span key={role} className="label">
              {roleWord(role)}
            </span>
          ))}
          {detail.roles.length === 0 && t`no role of its own`}
          {detail.epoch !== undefined && `, ${t`term ${detail.epoch}`}`}{' '}
          <PageLink page="site" rest={detail.siteId}>
            <Trans>The site and its history</Trans>
          </PageLink>
        </dd>
        <dt>
          <Trans>Services</Trans>
        </dt>
        <dd>
          {Object.keys(services).length === 0 && t`not known yet`}
          {Object.entries(services).map(([name, state]) => (
            <span key={name} className={state === 'ok' ? 'label' : 'label warn'}>
              {name} {state}
            </span>
          ))}
        </dd>
        <dt>
          <Trans>Calls</Trans>
        </dt>
        <dd>{detail.calls ?? 0}</dd>
        <dt>
          <Trans>Other hosts</Trans>
        </dt>
        <dd>
          {Object.keys(peers).length === 0 && t`none that it knows`}
          {Object.entries(peers).map(([name, state]) => (
            <span key={name} className={state === 'ok' ? 'label' : 'label warn'}>
              {name} {state}
            </span>
          ))}
        </dd>
        <dt>
          <Trans>Waiting to be sent</Trans>
        </dt>
        <dd>
          {waiting.map(([lane, count]) => `${lane} ${count}`).join(', ') || t`nothing`}
          {waiting.length > 0 &&
            outbox.oldestS !== undefined &&
            `, ${t`the oldest for ${span(1_000 * outbox.oldestS)}`}`}
        </dd>
        <dt>
          <Trans>Machine</Trans>
        </dt>
        <dd>
          <Machine measured={measured} />
        </dd>
        <dt>
          <Trans>Clock</Trans>
        </dt>
        <dd>
          {detail.clockSynchronised === undefined
            ? t`not known yet`
            : detail.clockSynchronised
              ? t`has a source`
              : `~ ${t`has no time source: its times are estimates`}`}
        </dd>
        <dt>
          <Trans>Network</Trans>
        </dt>
        <dd>
          {network === undefined
            ? t`by DHCP, or as set up on site`
            : network.networkInterfaces.map((each) => `${each}/${network.networkPrefixLength}`).join(', ')}
        </dd>
        <dt>
          <Trans>Labels</Trans>
        </dt>
        <dd>
          {detail.hostLabels.map((label) => (
            <span key={label} className="label">
              {label}
            </span>
          ))}
        </dd>
        <dt>
          <Trans>Certificate</Trans>
        </dt>
        <dd>
          {certificate.expiresAt === undefined
            ? t({ context: 'certificate', message: 'none yet' })
            : t`${Math.floor((certificate.expiresAt - serverNow()) / 86_400_000)} days left, generation ${certificate.generation}`}
        </dd>
        {detail.keyFingerprint !== undefined && (
          <>
            <dt>
              <Trans>Key</Trans>
            </dt>
            <dd>
              <Trans>
                <code>{detail.keyFingerprint}</code>, as the machine shows it when it enrols
              </Trans>
            </dd>
          </>
        )}
        <dt>
          <Trans>Version</Trans>
        </dt>
        <dd>
          {detail.version}
          {detail.serial !== undefined && `, ${t`serial number ${detail.serial}`}`}
        </dd>
        <dt>
          <Trans>Address</Trans>
        </dt>
        <dd>{detail.siteBaseUrl ?? t`not notified yet`}</dd>
      </dl>
    </section>
  );
}

/** Figures of heartbeats, in words. */
function Machine({ measured }: { readonly measured: Detail['measured'] }) {
  const { t, i18n } = useLingui();
  const { memFreeMb, memPct, diskPct, load1, fsyncP99Ms, tempC } = measured;
  const parts = [
    memFreeMb === undefined ? undefined : t`${{ memFreeMb: i18n.number(memFreeMb) }} MB of memory free`,
    memPct === undefined ? undefined : t`${{ memory: percent(memPct / 100, 0) }} used`,
    diskPct === undefined ? undefined : t`disk ${{ disk: percent(diskPct / 100, 0) }} full`,
    load1 === undefined ? undefined : t`load ${{ load1: i18n.number(load1) }}`,
    fsyncP99Ms === undefined
      ? undefined
      : t`writing takes ${{ fsyncP99Ms: i18n.number(fsyncP99Ms) }} ms (p99)`,
    tempC === undefined ? undefined : `${tempC} °C`,
  ];
  return parts.filter((part) => part !== undefined).join(', ') || t`not known yet`;
}
