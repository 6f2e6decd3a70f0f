import { RECORD_VERSION, type SessionRecord } from '#shared/contract/session-record/index.ts';
import type { SessionOpening } from '../kernel/session-trace.ts';

/** A record that is still written: its members may be replaced until it ends. */
export type Draft = { -readonly [Member in keyof SessionRecord]: SessionRecord[Member] } & {
  /** Final SIP status that the caller got from us. */
  answer?: { readonly status: number; readonly reason: string } | undefined;
  /** The trunk is one that was dialled, not the one that the session came by. */
  isTrunkDialled?: boolean;
  /** Destination that is called for the alarm; it has accepted only when it speaks. */
  called?: string | undefined;
};

/** Facts of an opening that stand in the record as they are. */
const FACTS = [
  'sessionId',
  'deviceId',
  'controllerId',
  'customerSiteId',
  'from',
  'to',
  'receiver',
  'receiverName',
  'rule',
  'protocol',
  'requestUri',
  'source',
  'trunk',
  'restarts',
] as const;

export function newDraft(
  recordId: string,
  traceId: string,
  host: Pick<SessionRecord, 'configRevision' | 'program'>,
): Draft {
  const at = timeOf(recordId);
  return {
    v: RECORD_VERSION,
    recordId,
    kind: 'call',
    at,
    result: 'running',
    traceId,
    times: { arrived: at },
    ...given(host),
  };
}

/** The session is of this kind; what it was before keeps the facts that are not named again. */
export function opened(draft: Draft, { kind, event, ...facts }: SessionOpening): void {
  // The SIP answer to the call of an alarm is not the answer to the alarm.
  if (kind === 'alarm' && draft.kind === 'call') delete draft.times.deviceAnswered;
  draft.kind = kind;
  for (const name of FACTS) if (facts[name] !== undefined) Object.assign(draft, { [name]: facts[name] });
  if (event !== undefined) eventOf(draft, event);
}

const SIGNS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Epoch ms in a ULID. */
function timeOf(recordId: string): number {
  let ms = 0;
  for (const sign of recordId.slice(0, 10).toLowerCase()) ms = ms * 32 + Math.max(0, SIGNS.indexOf(sign));
  return ms;
}

const given = <Facts extends object>(facts: Facts): Partial<Facts> =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Partial<Facts>;

const EVENT = [
  'controllerId',
  'deviceId',
  'deviceType',
  'statusCode',
  'location',
  'deviceComponent',
  'systemConfig',
  'audio',
] as const;

/** The first event of the session, without free text. */
export function eventOf(draft: Draft, said: Readonly<Record<string, unknown>>): void {
  const words = Object.fromEntries(
    EVENT.flatMap((name) => {
      const value = text(said[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const priority = whole(said.priority);
  draft.event = { ...words, ...(priority !== undefined && { priority }) } as SessionRecord['event'];
  draft.eventType = words.deviceType;
  draft.statusCode = words.statusCode;
  draft.controllerId ??= words.controllerId;
}

/** A text that says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export const whole = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.round(value)) : undefined;
