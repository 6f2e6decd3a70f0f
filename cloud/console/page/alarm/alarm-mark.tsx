import type { Operations } from '#shared/client/index.ts';
import { api } from '../../client/api.ts';
import { domain } from '../../client/session.ts';
import { Act } from '../../component/act.tsx';

export type Alarm = Operations['getSiteByDomainAlarm']['answer']['alarms'][number];

/** The unusual points of an alarm, in words. */
export function Marks({ alarm }: { readonly alarm: Alarm }) {
  const { late, untold, notes = [], errorDetails } = alarm;
  const suppressed = Number(errorDetails.suppressed ?? 0);
  return (
    <>
      {late === true && <span className="label warn">late</span>}
      {untold === true && <span className="label">maintenance: not notified</span>}
      {suppressed > 0 && (
        <span className="label warn">
          {suppressed === 1 ? '1 change' : `${suppressed} changes`} before it suppressed
        </span>
      )}
      {notes.length > 0 && (
        <span className="label">{notes.length === 1 ? '1 comment' : `${notes.length} comments`}</span>
      )}
    </>
  );
}

export function Acknowledge({ alarm, done }: { readonly alarm: Alarm; readonly done: () => void }) {
  const asked = { domain: domain.value, alarmId: alarm.alarmId };
  return (
    <Act label="Acknowledge" run={() => api.call('postSiteByDomainAlarmByAlarmIdAck', asked)} done={done} />
  );
}

/** The sentence of the alarm where it has one, else its details as they came. */
export function wording(details: Readonly<Record<string, unknown>>): string {
  const { message, status: _, suppressed: __, ...rest } = details;
  if (typeof message === 'string' && message !== '') return message;
  return Object.entries(rest)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
