import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { domain } from '../../client/session.ts';
import { PageLink } from '../../component/page-link.tsx';
import { percent } from '../../component/wording/figure.ts';
import { readHealth } from './device-health.ts';
import { durationText } from './hourly.ts';
import { Tile } from './tile.tsx';

/** Numbers of hosts. */
interface HostCounts {
  readonly all: number;
  readonly online: number;
}

const DEVICES_STEP_MS = 60_000;
const FIGURES_STEP_MS = 15_000;

/** Hosts, devices, the time to acknowledge, tones that were understood at once, and who is on a call. */
export function Tiles({ hosts }: { readonly hosts: HostCounts | undefined }) {
  return (
    <div className="tiles">
      <Hosts hosts={hosts} />
      <Devices />
      <Figures />
    </div>
  );
}

function Hosts({ hosts }: { readonly hosts: HostCounts | undefined }) {
  const { i18n, t } = useLingui();
  if (hosts === undefined) return <Tile name={t`Hosts`} figure="…" />;
  const { all, online } = hosts;
  const rest = all - online;
  return (
    <Tile
      name={t`Hosts`}
      figure={`${i18n.number(online)} / ${i18n.number(all)}`}
      tone={all === 0 ? 'warn' : rest > 0 ? 'bad' : 'good'}
    >
      <p className="dim">
        {all === 0 ? (
          <Trans>No host is connected yet.</Trans>
        ) : rest === 0 ? (
          <Trans>All are online.</Trans>
        ) : (
          <Plural value={rest} one="# is not online." other="# are not online." />
        )}{' '}
        <PageLink page="fleet">
          <Trans>Fleet</Trans>
        </PageLink>
      </p>
    </Tile>
  );
}

function Devices() {
  const { i18n, t } = useLingui();
  const { value } = useLive(() => readHealth(domain.value), [domain.value], DEVICES_STEP_MS);
  if (value === undefined) return <Tile name={t`Supervised devices`} figure="…" />;
  const { well, overdue, unsupervised, isCut } = value;
  const supervised = well + overdue;
  return (
    <Tile
      name={t`Supervised devices`}
      figure={supervised === 0 ? '–' : `${i18n.number(well)} / ${i18n.number(supervised)}`}
      {...(supervised === 0 ? {} : { tone: overdue > 0 ? ('bad' as const) : ('good' as const) })}
    >
      <p className="dim">
        {supervised > 0 && (
          <>
            {overdue === 0 ? (
              <Trans>None is overdue.</Trans>
            ) : (
              <Trans>{i18n.number(overdue)} overdue.</Trans>
            )}{' '}
          </>
        )}
        {unsupervised > 0 && (
          <Plural
            value={unsupervised}
            one="# device has no supervision."
            other="# devices have no supervision."
          />
        )}{' '}
        {isCut && <Trans>The first 5,000 devices are counted.</Trans>}{' '}
        <PageLink page="device">
          <Trans>Devices</Trans>
        </PageLink>
      </p>
    </Tile>
  );
}

/** Figures over the records of the last 24 hours. */
function Figures() {
  const { i18n, t } = useLingui();
  const live = useLive(
    () => api.call('getRecordByDomainFigure', { domain: domain.value }),
    [domain.value],
    FIGURES_STEP_MS,
    [],
    'figures',
  );
  const figure = live.value?.figure;
  if (figure === undefined) return <Tile name={t`Time to acknowledge`} figure="…" />;
  const { acknowledged, firstTry, running } = figure;
  const most = percent(0.95, 0);
  const share = firstTry.total === 0 ? undefined : firstTry.understood / firstTry.total;
  return (
    <>
      <Tile
        name={t`Time to acknowledge`}
        figure={acknowledged.p50 === undefined ? '–' : durationText(acknowledged.p50)}
      >
        <p className="dim">
          {acknowledged.p95 === undefined ? (
            <Trans>No alarm in 24 hours.</Trans>
          ) : (
            <Trans>
              Median of <Plural value={acknowledged.amount} one="# alarm" other="# alarms" /> in 24 hours;{' '}
              {most} within {durationText(acknowledged.p95)}.
            </Trans>
          )}
        </p>
      </Tile>
      <Tile
        name={t`Understood at the first try`}
        figure={share === undefined ? '–' : percent(share, 0)}
        {...(share === undefined ? {} : { tone: share < 0.9 ? ('warn' as const) : ('good' as const) })}
      >
        <p className="dim">
          {share === undefined ? (
            <Trans>No alarm in tones in 24 hours.</Trans>
          ) : (
            <Trans>
              Of <Plural value={firstTry.total} one="# alarm in tones" other="# alarms in tones" />.
            </Trans>
          )}{' '}
          <PageLink page="line">
            <Trans>Tone lines</Trans>
          </PageLink>
        </p>
      </Tile>
      <Tile name={t`Sessions in progress`} figure={i18n.number(running.length)}>
        <p className="dim">
          {running.length === 0 ? (
            <Trans>No person is on a call.</Trans>
          ) : (
            [...new Set(running.map(({ deviceId, from, recordId }) => deviceId ?? from ?? recordId))]
              .slice(0, 3)
              .join(', ')
          )}
        </p>
      </Tile>
    </>
  );
}
