import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { serverNow } from '../../client/clock.ts';
import { useLive } from '../../client/live.ts';
import { useRecordChanges } from '../../client/record-change.ts';
import { linkTo, usePart } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { Ago } from '../../component/age.tsx';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { DayStrip } from '../../component/chart/day-strip.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Stale } from '../../component/notice.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { offset } from '../../component/trace/lane.ts';
import { eventWord } from '../../component/wording/event-words.ts';
import { DAY, percent } from '../../component/wording/figure.ts';
import { KINDS } from '../record/record-words.ts';
import { ResultBadge } from '../record/result-badge.tsx';
import { DeviceForm } from './device-form.tsx';
import { daysOf, firstTry } from './device-health.ts';
import { DeviceSettings } from './device-setting.tsx';
import { useDeviceTypeWords } from './device-words.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
const STEP_MS = 15_000;
/** Sessions that the page counts at most: what a device does in 30 days, with room for one that reports all the time. */
const MOST = 1_000;
const SHOWN = 10;

type Entry = NonNullable<Awaited<ReturnType<typeof readRecords>>['value']>[number];

/** One device: whether it works, its last sessions, and the settings by which its alarms are treated. */
export function DeviceOnePage() {
  const { t } = useLingui();
  const deviceId = usePart('deviceId');
  useRecordChanges(domain.value);
  const [isEdited, setEdited] = useState(false);
  const types = useDeviceTypeWords();
  const asked = { domain: domain.value, deviceId };
  const live = useLive(
    () => api.call('getProvisioningDeviceByDeviceId', asked),
    [domain.value, deviceId],
    STEP_MS,
  );
  const records = useLive(() => readRecords(deviceId), [domain.value, deviceId], STEP_MS, ['record']);
  const device = live.value;
  const sessions = records.value ?? [];
  return (
    <>
      <p className="flat">
        <PageLink page="device">
          ← <Trans>Devices</Trans>
        </PageLink>
      </p>
      <Stale failure={live.failure} at={live.at} />
      {device !== undefined && (
        <>
          <header className="page">
            <h1>{device.deviceId}</h1>
            {device.heartbeatStatus === undefined ? (
              <span className="dim">
                <Trans>no supervision: no alarm tells of its silence</Trans>
              </span>
            ) : (
              <Badge word={device.heartbeatStatus} />
            )}
            <p className="dim flat about">
              {[types[device.deviceType ?? 'sipDevice'], device.description].filter(Boolean).join(' · ')}
            </p>
            <button type="button" className="plain" onClick={() => setEdited(true)}>
              {mayProvision.value ? t`Edit` : t`All fields`}
            </button>
          </header>
          <Stale failure={records.failure} at={records.at} />
          {records.value !== undefined && (
            <>
              <Days sessions={sessions} />
              <Rates sessions={sessions} />
              <Last sessions={sessions} deviceId={deviceId} />
            </>
          )}
          <DeviceSettings
            device={device}
            receiver={sessions.find(({ receiver }) => receiver !== undefined)}
          />
        </>
      )}
      {isEdited && device !== undefined && (
        <Dialog title={device.deviceId} onClose={() => setEdited(false)}>
          <DeviceForm
            device={device}
            done={() => {
              setEdited(false);
              live.again();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

/** A field for each day: how many sessions, and whether one went badly. */
function Days({ sessions }: { readonly sessions: readonly Entry[] }) {
  const { t, i18n } = useLingui();
  const days = daysOf(sessions, new Date().setHours(0, 0, 0, 0), DAYS);
  const quiet = days.filter((day) => day.sessions === 0).length;
  return (
    <section className="record-part">
      <h2>
        <Trans>Last 30 days</Trans>
      </h2>
      <DayStrip
        name={t`Sessions of each day`}
        days={days.map(({ begin, sessions: count, bad }) => ({
          begin,
          tone: bad > 0 ? 'bad' : count > 0 ? 'good' : '',
          words: t`${i18n.date(begin, DAY)}: sessions ${i18n.number(count)}, without success ${i18n.number(bad)}`,
        }))}
      />
      <p className="dim flat">
        <Trans>Days without a session: {quiet} of 30. Heartbeats alone make no session.</Trans>
      </p>
    </section>
  );
}

function Rates({ sessions }: { readonly sessions: readonly Entry[] }) {
  const { t, i18n } = useLingui();
  const tries = firstTry(sessions);
  const alarms = sessions.filter(({ kind }) => kind === 'alarm');
  const last = alarms[0];
  return (
    <dl className="record-facts">
      <dt>{t`Last alarm`}</dt>
      <dd>
        {last === undefined ? t`none in 30 days` : <Ago at={last.at} estimated={last.estimated === true} />}
      </dd>
      <dt>{t`Alarms in 30 days`}</dt>
      <dd>{i18n.number(alarms.length)}</dd>
      <dt>{t`Tones understood at the first try`}</dt>
      <dd>
        {tries === undefined ? (
          <span className="dim">
            <Trans>no conversation in tones was judged</Trans>
          </span>
        ) : (
          <>
            {percent(tries.good / tries.judged, 1)}{' '}
            <span className="dim">
              <Trans>
                {tries.good} of {tries.judged}
              </Trans>
            </span>
          </>
        )}
      </dd>
    </dl>
  );
}

function Last({ sessions, deviceId }: { readonly sessions: readonly Entry[]; readonly deviceId: string }) {
  const { t } = useLingui();
  if (sessions.length === 0)
    return (
      <EmptyState
        title={t`No session of this device in 30 days`}
        command={`npx carillon simulate scaip --to HOST:5060 --device ${deviceId}`}
      >
        <Trans>
          An alarm or a call of the device appears here by itself. Let the device send a test alarm, or
          simulate one:
        </Trans>
      </EmptyState>
    );
  return (
    <section>
      <header>
        <h2>
          <Trans>Last sessions</Trans>
        </h2>
        <a href={`${linkTo('record')}?deviceId=${encodeURIComponent(deviceId)}&span=month`}>
          <Trans>All of 30 days</Trans>
        </a>
      </header>
      <CardTable columns={[t`Time`, t`Kind`, t`Result`, t`Receiver`, t`Duration`]}>
        <tbody>
          {sessions.slice(0, SHOWN).map((row) => (
            <tr key={row.recordId}>
              <td>
                <PageLink page="record" rest={row.recordId}>
                  <Ago at={row.at} estimated={row.estimated === true} />
                </PageLink>
              </td>
              <td>
                {t(KINDS[row.kind])}{' '}
                <span className="dim">{row.statusCode !== undefined && eventWord(row.statusCode, t)}</span>
              </td>
              <td>
                <ResultBadge result={row.result} />
              </td>
              <td>
                {row.receiver !== undefined && (
                  <PageLink page="bridge" rest={row.receiver}>
                    {row.receiverName ?? row.receiver}
                  </PageLink>
                )}
              </td>
              <td>{row.durationMs !== undefined && offset(row.durationMs)}</td>
            </tr>
          ))}
        </tbody>
      </CardTable>
    </section>
  );
}

/** The sessions of this very device in 30 days, the newest first: the API finds devices by the begin of their ids. */
async function readRecords(deviceId: string) {
  const from = String(serverNow() - DAYS * DAY_MS);
  const found = [];
  let nextToken: string | undefined;
  do {
    const answer = await api.call('getRecordByDomain', {
      ...{ domain: domain.value, deviceId, from, limit: '100' },
      ...(nextToken === undefined ? {} : { nextToken }),
    });
    if (!answer.ok) return { ...answer, value: undefined };
    found.push(...answer.value.records.filter((each) => each.deviceId === deviceId));
    nextToken = answer.value.nextToken;
  } while (nextToken !== undefined && found.length < MOST);
  return { ok: true as const, value: found };
}
