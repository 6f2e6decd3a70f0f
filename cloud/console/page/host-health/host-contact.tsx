import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { api } from '../../client/api.ts';
import type { Detail, HostPath } from '../../client/host-detail.ts';
import { useLive } from '../../client/live.ts';
import { Ago, span } from '../../component/age.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { DayStrip, type StripDay } from '../../component/chart/day-strip.tsx';
import { Stale } from '../../component/notice.tsx';
import { DAY, percent } from '../../component/wording/figure.ts';
import {
  type ContactDay,
  contactDays,
  MOST_CHANGES,
  outagesOf,
  reachableShare,
  spansOf,
} from './connectivity.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const STEP_MS = 30_000;
const OUTAGES_SHOWN = 10;

/** Thirty days of contact with a host: a field for each day, the share of the time, and the outages. */
export function Contact({ detail, path }: { readonly detail: Detail; readonly path: HostPath }) {
  const { t } = useLingui();
  const live = useLive(() => readChanges(path), [path.domain, path.siteId, path.hostId], STEP_MS, ['host']);
  const { value: changes, failure, at } = live;
  if (changes === undefined) return <Stale failure={failure} at={at} />;
  const midnight = new Date(at).setHours(0, 0, 0, 0);
  const present = { state: detail.connectivity, since: detail.connectivitySince };
  const spans = spansOf(changes, present, midnight - (DAYS - 1) * DAY_MS, at);
  const share = reachableShare(spans);
  const outages = outagesOf(spans);
  const outageWords = plural(outages.length, { one: '# outage', other: '# outages' });
  return (
    <section>
      <h2>
        <Trans>Contact of 30 days</Trans>
      </h2>
      <Stale failure={failure} at={at} />
      <Strip days={contactDays(spans, midnight, DAYS)} />
      <p className="flat">
        {share === undefined ? (
          <span className="dim">
            <Trans>No contact was observed yet.</Trans>
          </span>
        ) : (
          t`Reachable for ${percent(share, 3)} of the observed time, ${outageWords}.`
        )}{' '}
        <span className="dim">
          <Trans>By the heartbeats that reached the control plane; alarms are also taken without it.</Trans>
        </span>
      </p>
      {outages.length > 0 && (
        <CardTable columns={[t`Out of contact`, t`Duration`]}>
          <tbody>
            {outages.slice(0, OUTAGES_SHOWN).map((outage) => (
              <tr key={outage.from}>
                <td>
                  <Ago at={outage.from} />
                </td>
                <td>
                  {span(outage.to - outage.from)}
                  {outage.to === at && `, ${t`it lasts`}`}
                </td>
              </tr>
            ))}
          </tbody>
        </CardTable>
      )}
    </section>
  );
}

function Strip({ days }: { readonly days: readonly ContactDay[] }) {
  const { t, i18n } = useLingui();
  const wordsOf = ({ onlineMs, unsteadyMs, offlineMs }: ContactDay): string =>
    [
      onlineMs > 0 ? t`online ${span(onlineMs)}` : '',
      unsteadyMs > 0 ? t`unsteady ${span(unsteadyMs)}` : '',
      offlineMs > 0 ? t`offline ${span(offlineMs)}` : '',
    ]
      .filter(Boolean)
      .join(', ') || t`nothing was observed`;
  return (
    <DayStrip
      name={t`Contact of each day`}
      days={days.map((day) => ({
        begin: day.begin,
        tone: toneOf(day),
        words: `${i18n.date(day.begin, DAY)}: ${wordsOf(day)}`,
      }))}
    />
  );
}

/** A host that returns is called late for a minute: a day has the tone of something that lasted longer. */
const SHORT_MS = 3 * 60_000;

const toneOf = ({ onlineMs, unsteadyMs, offlineMs }: ContactDay): StripDay['tone'] =>
  offlineMs > 0 ? 'bad' : unsteadyMs > SHORT_MS ? 'warn' : onlineMs + unsteadyMs > 0 ? 'good' : '';

/** All changes that are kept; a steady host has a few. */
async function readChanges(path: HostPath) {
  const found = [];
  let nextToken: string | undefined;
  do {
    const answer = await api.call('getSiteByDomainBySiteIdHostByHostIdConnectivity', {
      ...path,
      limit: '100',
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    if (!answer.ok) return answer;
    found.push(...answer.value.changes);
    ({ nextToken } = answer.value);
  } while (nextToken !== undefined && found.length < MOST_CHANGES);
  return { ok: true as const, value: found };
}
