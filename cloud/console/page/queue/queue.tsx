import './queue.css';
import { Trans, useLingui } from '@lingui/react/macro';
import { isQueueLive, lostReason, queue, rings, type WaitingAlarm } from '../../client/alarm-queue.ts';
import { useNow } from '../../client/live.ts';
import { isSoundOn, switchSoundOff, switchSoundOn } from '../../client/ring-sound.ts';
import { useRest } from '../../client/route.ts';
import { domain, mayProvision } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { Badge } from '../../component/badge.tsx';
import { CardTable } from '../../component/card-table.tsx';
import { EmptyState } from '../../component/empty-state.tsx';
import { Freshness } from '../../component/freshness.tsx';
import { Stale } from '../../component/notice.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { eventWord } from '../../component/wording/event-words.ts';
import { queueReasonWords, queueStateWords, waitText } from '../../component/wording/queue-words.ts';
import { QueueAlarm } from './queue-alarm.tsx';
import { Displays } from './queue-display.tsx';
import { Notices } from './queue-notice.tsx';

/** Alarms that no person has accepted: who waits how long, and who has taken what. */
export function QueuePage() {
  const { t } = useLingui();
  const { alarms, at, failure } = useStore(queue);
  const isLive = useStore(isQueueLive);
  const lost = useStore(lostReason);
  const open = useRest();
  return (
    <>
      <header className="page">
        <h1>
          <Trans>Alarm queue</Trans>
        </h1>
        <Sound />
        {at > 0 && <Freshness at={at} isLive={isLive} />}
      </header>
      <Stale failure={failure} at={at} />
      {lost !== '' && (
        <p className="notice bad" role="alert">
          {lost}
        </p>
      )}
      {at > 0 && alarms.length === 0 && <NoAlarm />}
      {alarms.length > 0 && (
        <CardTable className="queue" columns={[t`Waits`, t`Alarm`, t`State`]}>
          <tbody aria-live="polite">
            {alarms.map((alarm) => (
              <Row key={alarm.alarmId} alarm={alarm} isOpen={alarm.alarmId === open} />
            ))}
          </tbody>
        </CardTable>
      )}
      {open !== '' && <QueueAlarm key={open} alarmId={open} />}
      <Notices />
      {mayProvision.value && <Displays />}
    </>
  );
}

function Row({ alarm, isOpen }: { readonly alarm: WaitingAlarm; readonly isOpen: boolean }) {
  const { i18n, t } = useLingui();
  const now = useNow();
  const { alarmId, state, deviceId, controllerId, statusCode, location, taker, queuedAt, receiver } = alarm;
  const whom = deviceId ?? controllerId ?? t`unknown unit`;
  return (
    <tr className={isOpen ? 'is-open' : ''} data-alarm={alarmId}>
      <td className={rings(alarm) ? 'wait is-ringing' : 'wait'}>{waitText(now - queuedAt)}</td>
      <td>
        <PageLink page="queue" rest={alarmId} current={isOpen}>
          {[statusCode === undefined ? t`Alarm` : eventWord(statusCode, t), whom].join(' · ')}
        </PageLink>
        <div className="dim">
          {[location === undefined || location === 'unknown' ? undefined : eventWord(location, t), receiver]
            .filter((part) => part !== undefined)
            .join(' · ')}{' '}
          <ObjectLink kind="site" id={alarm.siteId} />
        </div>
      </td>
      <td>
        <Badge word={rings(alarm) ? 'active' : 'acknowledged'} text={i18n._(queueStateWords(state))} />
        {taker !== undefined && <div>{taker.name}</div>}
        {taker === undefined && <div className="dim">{i18n._(queueReasonWords(alarm.reason))}</div>}
      </td>
    </tr>
  );
}

/** The sound is armed by a gesture; while it is off a red mark stays. */
function Sound() {
  const { t } = useLingui();
  const isOn = useStore(isSoundOn);
  return (
    <span className="sound">
      {!isOn && (
        <strong className="sound-off" role="status">
          <Trans>The sound is off: this window does not ring</Trans>
        </strong>
      )}
      <button
        type="button"
        className={isOn ? 'plain' : ''}
        aria-pressed={isOn}
        onClick={() => {
          if (isOn) switchSoundOff();
          else void switchSoundOn();
        }}
      >
        {isOn ? t`Switch the sound off` : t`Switch the sound on`}
      </button>
    </span>
  );
}

function NoAlarm() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No alarm waits`}
      command={`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/alarmqueue/${domain.value}`}
      action={
        <p>
          <PageLink page="bridge">
            <Trans>Set up an emergency list at an alarm receiver</Trans>
          </PageLink>
        </p>
      }
    >
      <Trans>
        An alarm comes here when no person of its emergency list has accepted it, or when no application has
        decided and its destination was not reached. It rings in every window whose sound is on, until a
        person takes it.
      </Trans>
    </EmptyState>
  );
}
