import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';
import { noteText, type Say } from '../../component/step/note-words.ts';
import { sentenceOf } from './alarm-fact.ts';

export type Alarm = Operations['getSiteByDomainAlarm']['answer']['alarms'][number];

/** The unusual points of an incident, in words. */
export function Marks({ alarm }: { readonly alarm: Alarm }) {
  const { late, untold, notes = [], errorDetails } = alarm;
  const suppressed = Number(errorDetails.suppressed ?? 0);
  return (
    <>
      {late === true && (
        <span className="label warn">
          <Trans>late</Trans>
        </span>
      )}
      {untold === true && (
        <span className="label">
          <Trans>maintenance: not notified</Trans>
        </span>
      )}
      {suppressed > 0 && (
        <span className="label warn">
          <Plural
            value={suppressed}
            one="# change before it suppressed"
            other="# changes before it suppressed"
          />
        </span>
      )}
      {notes.length > 0 && (
        <span className="label">
          <Plural value={notes.length} one="# comment" other="# comments" />
        </span>
      )}
    </>
  );
}

/** `note`: the comment that goes with it; empty: none. */
export function Acknowledge(props: {
  readonly alarm: Alarm;
  readonly done: () => void;
  readonly note?: string;
}) {
  const { alarm, done, note = '' } = props;
  const { t } = useLingui();
  const asked = { domain: domain.value, alarmId: alarm.alarmId };
  const run = async () => {
    if (note.trim() !== '') {
      const noted = await api.call('postSiteByDomainAlarmByAlarmIdNote', { ...asked, body: { text: note } });
      if (!noted.ok) return noted;
    }
    return await api.call('postSiteByDomainAlarmByAlarmIdAck', asked);
  };
  return (
    <Act
      label={note.trim() === '' ? t`Acknowledge` : t`Acknowledge with this comment`}
      run={run}
      done={done}
    />
  );
}

/** The sentence of the alarm where it has one, in the language of the person; else its details as they came. */
export function wording(details: Readonly<Record<string, unknown>>, say: Say): string {
  const { message, status: _, suppressed: __, ...rest } = details;
  if (typeof message === 'string' && message !== '') return sentenceOf(noteText(message, say));
  return Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
