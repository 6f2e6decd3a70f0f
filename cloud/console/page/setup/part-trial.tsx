import type { Values } from '../../component/form/schema.ts';
import type { FormSection } from '../../component/form/schema-form.tsx';
import { TryOnHistory } from '../../component/trial/try-on-history.tsx';
import { MapTrial } from '../event-trial/map-trial.tsx';
import { type Kind, RECEIVER } from './kind.ts';
import { PatternTest } from './pattern-test.tsx';
import { RewriteTest } from './rewrite-test.tsx';
import { type Referrer, useReferrers } from './used-by.tsx';

/**
 * Below each part of an editor, its fields tried as they are typed: a pattern on destinations, a replacement on callers, an event
 * map on alarms, and a receiver on the alarms of the last month. `isAlone`: the map is the only part.
 */
export function usePartTrials(kind: Kind, id: string | undefined, isAlone: boolean) {
  const users = useReferrers(kind, id).data?.referrers;
  const { mapField } = kind;
  const onHistory = (values: Values) =>
    kind === RECEIVER && id !== undefined ? <TryOnHistory id={id} values={values} /> : null;
  return (fields: readonly string[]): FormSection['after'] => {
    if (fields.includes('destinationMatch') && kind.hasPattern)
      return ({ destinationMatch }) => <PatternTest pattern={String(destinationMatch ?? '')} />;
    if (mapField !== undefined && fields.includes(mapField))
      return (values) => (
        <>
          <MapTrial map={values[mapField]} {...alarmsOf(kind, values, id, users)} />
          {isAlone && onHistory(values)}
        </>
      );
    if (fields.includes('voiceCallSipFromUserMatch'))
      return ({ voiceCallSipFromUserMatch: match = '', voiceCallSipFromUserRewrite: replacement = '' }) => (
        <RewriteTest match={String(match)} replacement={String(replacement)} />
      );
    return fields.includes('auditRecording') ? onHistory : undefined;
  };
}

/** The alarms that a map is tried on: those of its receiver, or of the receivers that name its sender. */
function alarmsOf(
  kind: Kind,
  { targetEndpoint }: Values,
  id: string | undefined,
  users: readonly Referrer[] = [],
) {
  if (kind === RECEIVER)
    return { owner: { kind: 'receiver' } as const, bridges: id === undefined ? undefined : [id] };
  const bridges = users.flatMap(({ entity, id: by }) => (entity === 'alarmbridge' ? [by] : []));
  const { protocol } = (targetEndpoint ?? {}) as { readonly protocol?: string };
  return {
    owner: { kind: 'sender', target: protocol } as const,
    bridges: bridges.length === 0 ? undefined : bridges,
  };
}
