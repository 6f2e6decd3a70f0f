import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { CallFailure } from '#shared/client/index.ts';
import type { Result } from '#shared/result.ts';
import { drop, keep, put, queue, taken, type WaitingAlarm } from '../../client/alarm-queue.ts';
import { api } from '../../client/api.ts';
import { useLive } from '../../client/live.ts';
import { expectCall, phoneLine, phoneState } from '../../client/phone-state.ts';
import { domain } from '../../client/session.ts';
import { useStore } from '../../client/store.ts';
import { Act } from '../../component/act.tsx';
import { Ago } from '../../component/age.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Field } from '../../component/field.tsx';
import { ObjectLink } from '../../component/object-link.tsx';
import { PageLink } from '../../component/page-link.tsx';
import { eventWord } from '../../component/wording/event-words.ts';
import { queueCallWords, queueCommandWords, queueReasonWords } from '../../component/wording/queue-words.ts';

const COMMANDS = ['switchToDuplex', 'listen', 'speak', 'volumeUp', 'volumeDown'] as const;
const UNLOCK = 'releaseDoorLock1';

type Answered = Promise<Result<{ readonly alarm: WaitingAlarm }, CallFailure>>;

/** One alarm of the queue: whom it is of, who has it, and everything that the person who has it may do. */
export function QueueAlarm({ alarmId }: { readonly alarmId: string }) {
  const listed = useStore(queue).alarms.find((alarm) => alarm.alarmId === alarmId);
  const turn = useStore(taken)[alarmId];
  const [isClosed, setClosed] = useState(false);
  const live = useLive(
    () => api.call('getAlarmqueueByDomainByAlarmId', { domain: domain.value, alarmId }),
    [domain.value, alarmId, listed?.state],
    60_000,
  );
  const alarm = listed ?? live.value?.alarm;
  if (alarm === undefined)
    return live.failure === undefined ? null : (
      <p className="notice bad" role="alert">
        {live.failure}
      </p>
    );
  const isOwn = turn !== undefined && alarm.state === 'taken' && alarm.turn === turn;
  const isOver = isClosed || alarm.state === 'closed';
  return (
    <section className="queue-alarm" aria-label={alarm.deviceId ?? alarm.alarmId}>
      <Facts alarm={alarm} />
      {isOver && (
        <p className="notice good" role="status">
          <Trans>The alarm is closed.</Trans>
        </p>
      )}
      {!isOver && !isOwn && <Take alarm={alarm} />}
      {!isOver && isOwn && <Own alarm={alarm} turn={turn} closed={() => setClosed(true)} />}
      <Notes alarm={alarm} />
    </section>
  );
}

function Facts({ alarm }: { readonly alarm: WaitingAlarm }) {
  const { i18n, t } = useLingui();
  const { deviceId, controllerId, statusCode, location, receiver, recordId, siteId, hostId } = alarm;
  const facts: readonly (readonly [string, React.ReactNode])[] = [
    [
      t`Device`,
      deviceId === undefined ? controllerId : <ObjectLink key="device" kind="device" id={deviceId} />,
    ],
    [t`Kind of alarm`, statusCode && eventWord(statusCode, t)],
    [t`Place`, location && eventWord(location, t)],
    [t`Alarm receiver`, receiver],
    [
      t`Host`,
      <>
        <ObjectLink kind="site" id={siteId} /> / <ObjectLink kind="host" id={`${siteId}/${hostId}`} />
      </>,
    ],
    [t`Alarm began`, <Ago key="since" at={alarm.since} />],
    [t`Calls to people so far`, i18n.number(alarm.called)],
    [t`Call`, i18n._(queueCallWords(alarm.call))],
    [
      t`Call of the device`,
      alarm.isDeviceHere
        ? t`is up`
        : alarm.hasVoice
          ? t`is not up; it is called back`
          : t`the device has no speech`,
    ],
    [t`Cause`, i18n._(queueReasonWords(alarm.reason))],
    [
      t`Record`,
      recordId && <ObjectLink key="record" kind="record" id={recordId} name={t`what happened so far`} />,
    ],
    [t`Had it before`, alarm.lastTaker],
  ];
  return (
    <dl>
      {facts.flatMap(([name, value]) =>
        value === undefined || value === ''
          ? []
          : [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>],
      )}
    </dl>
  );
}

/** Three ways to the person: the telephone of this window, the own number, or none. */
function Take({ alarm }: { readonly alarm: WaitingAlarm }) {
  const { i18n, t } = useLingui();
  const line = useStore(phoneLine);
  const { kind } = useStore(phoneState);
  const [reason, setReason] = useState('');
  const hasPhone = line !== undefined && kind === 'idle';
  const take = async (by: 'softphone' | 'phone' | 'none'): Promise<Result<unknown, CallFailure>> => {
    setReason('');
    if (by === 'softphone') expectCall();
    const answer = await api.call('postAlarmqueueByDomainByAlarmIdTake', {
      ...{ domain: domain.value, alarmId: alarm.alarmId },
      body: {
        by,
        language: i18n.locale,
        ...(by === 'softphone' && line !== undefined && { deviceId: line.deviceId }),
      },
    });
    if (!answer.ok) return answer;
    keep(answer.value.alarm);
    put(answer.value.alarm);
    setReason(answer.value.reason ?? '');
    return answer;
  };
  return (
    <div className="line">
      {hasPhone && <Act label={t`Take it with this browser`} run={() => take('softphone')} />}
      <Act plain={hasPhone} label={t`Take it, call my number`} run={() => take('phone')} />
      <Act plain label={t`Take it without a call`} run={() => take('none')} />
      {!hasPhone && (
        <p className="dim">
          <Trans>
            To speak from this browser, go online on the page <PageLink page="phone">Telephone</PageLink>.
          </Trans>
        </p>
      )}
      {reason !== '' && <p className="refused">{reason}</p>}
    </div>
  );
}

/** The person of this window has the alarm. */
function Own(props: { readonly alarm: WaitingAlarm; readonly turn: number; readonly closed: () => void }) {
  const { i18n, t } = useLingui();
  const { alarm, turn, closed } = props;
  const [isAsked, setAsked] = useState(false);
  const where = { domain: domain.value, alarmId: alarm.alarmId };
  const send = (command: (typeof COMMANDS)[number] | typeof UNLOCK, confirmed = false) =>
    api.call('postAlarmqueueByDomainByAlarmIdCommand', { ...where, body: { turn, command, confirmed } });
  const leave = async (work: Answered): Answered => {
    const answer = await work;
    if (answer.ok) {
      drop(alarm.alarmId);
      put(answer.value.alarm);
    }
    return answer;
  };
  return (
    <>
      <p className="notice good" role="status">
        <Trans>You have this alarm. It is given back when this window is closed.</Trans>
      </p>
      <fieldset className="line commands" aria-label={t`Commands to the device`}>
        {COMMANDS.map((command) => (
          <Act key={command} plain label={i18n._(queueCommandWords(command))} run={() => send(command)} />
        ))}
        <button type="button" className="plain" onClick={() => setAsked(true)}>
          {i18n._(queueCommandWords(UNLOCK))}
        </button>
      </fieldset>
      <div className="line">
        <Act
          danger
          label={t`Clear and hang up`}
          run={() => leave(api.call('postAlarmqueueByDomainByAlarmIdClear', { ...where, body: { turn } }))}
          done={closed}
        />
        <Act
          plain
          label={t`Give it back`}
          run={() => leave(api.call('postAlarmqueueByDomainByAlarmIdRelease', { ...where, body: { turn } }))}
        />
      </div>
      {isAsked && (
        <Dialog title={t`Open the door?`} onClose={() => setAsked(false)}>
          <p>
            <Trans>
              The device opens the door of {alarm.deviceId ?? alarm.controllerId ?? alarm.alarmId} for
              everybody who stands there. The audit log names you.
            </Trans>
          </p>
          <Act
            danger
            label={t`Open the door now`}
            run={() => send(UNLOCK, true)}
            done={() => setAsked(false)}
          />
        </Dialog>
      )}
    </>
  );
}

function Notes({ alarm }: { readonly alarm: WaitingAlarm }) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const write = async () => {
    const answer = await api.call('postAlarmqueueByDomainByAlarmIdNote', {
      ...{ domain: domain.value, alarmId: alarm.alarmId, body: { text } },
    });
    if (answer.ok) {
      put(answer.value.alarm);
      setText('');
    }
    return answer;
  };
  return (
    <>
      <h3>
        <Trans>Notes</Trans>
      </h3>
      <ul className="plain-list">
        {alarm.notes.map((note) => (
          <li key={`${note.at} ${note.by}`}>
            {note.text}{' '}
            <span className="dim">
              {note.name}, <Ago at={note.at} />
            </span>
          </li>
        ))}
      </ul>
      <div className="line">
        <Field label={t`Note for the others`} value={text} onChange={setText} />
        <Act plain label={t`Write the note`} disabled={text.trim() === ''} run={write} />
      </div>
    </>
  );
}
