import {
  type AlarmEvent,
  type CodedValue,
  codedFrom,
  type ListField,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';
import type { ReplicatedAlarmEventMapper } from '#shared/contract/provisioning/index.ts';
import { applyEventMap, type CompiledEventMap, compileEventMap } from '#shared/matching/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** An event as `mappingRules` see it, beside what is known of its way. */
export interface MappingSubject {
  readonly event: AlarmEvent;
  readonly source: SourceAlarmEvent | undefined;
  readonly targetProtocol: string;
  readonly sipFrom: string;
  readonly domain: string;
  readonly traceId: string;
}

/** The result of the rules. */
export type Mapped =
  | {
      readonly kind: 'send';
      readonly event: AlarmEvent;
      /** For the target `callback`: what is posted, and where below partnerUrl. */
      readonly post: {
        readonly path: string;
        readonly body: unknown;
        readonly headers: Readonly<Record<string, string>>;
        /** The rules wrote a body of their own. */
        readonly isOwn: boolean;
      };
    }
  | { readonly kind: 'drop' };

/** Rules that matched and could not be carried out, or that do not compile. */
export interface MappingFault {
  readonly mapperId: string;
  readonly name: string;
  /** JSON pointer to the rule. */
  readonly path: string;
  readonly reason: string;
}

const CODED = [
  'deviceType',
  'statusCode',
  'location',
  'deviceComponent',
  'systemConfig',
] as const satisfies readonly ListField[];

type Words = Readonly<Record<string, unknown>>;

interface CompiledMaps {
  readonly whole: CompiledEventMap;
  readonly values: CompiledEventMap;
}

const compiled = new WeakMap<object, CompiledMaps>();

/**
 * Runs the `mappingRules` of a mapper (decisions 4.2). They see the event in words of the send list, where it has one,
 * else of the receive list. A field they change loses its native code: it is looked up again in the target's tables.
 *
 * Chosen: rules that cannot be carried out lose no alarm. The event goes out unchanged, and `onFault` hears why.
 */
export function mappedEvent(
  mapper: ReplicatedAlarmEventMapper | undefined,
  subject: MappingSubject,
  onFault: (fault: MappingFault) => void = () => undefined,
): Mapped {
  const said = subjectOf(subject);
  const compiles = mapper?.mappingRules === undefined ? undefined : mapsOf(mapper.mappingRules);
  const report = (path: string, reason: string): void => {
    if (mapper !== undefined) onFault({ mapperId: mapper.id, name: mapper.name, path, reason });
  };
  if (compiles?.ok === false) report(compiles.error.path ?? '/mappingRules', compiles.error.reason);
  const maps = compiles?.ok === true ? compiles.value : undefined;
  if (maps === undefined)
    return { kind: 'send', event: subject.event, post: { path: '', body: said, headers: {}, isOwn: false } };
  const values = applyEventMap(maps.values, said);
  if (values.drop) return { kind: 'drop' };
  const { alarmEvent } = values.body as { readonly alarmEvent: Words };
  const whole = applyEventMap(maps.whole, said);
  const overrun = values.overrun ?? whole.overrun;
  if (overrun !== undefined) report(`/mappingRules/rules/${overrun.at}`, overrun.reason);
  return {
    kind: 'send',
    event: changed(subject.event, said.alarmEvent, alarmEvent),
    post: {
      path: whole.path ?? '',
      body: whole.body,
      headers: whole.headers,
      isOwn: whole.rule !== null && mapper?.mappingRules?.rules[whole.rule]?.body !== undefined,
    },
  };
}

function mapsOf(
  rules: NonNullable<ReplicatedAlarmEventMapper['mappingRules']>,
): Result<CompiledMaps, Failure<string>> {
  const known = compiled.get(rules);
  if (known !== undefined) return ok(known);
  const whole = compileEventMap(rules);
  // A body is for targets that take JSON; others need the values the rules have set.
  const values = compileEventMap({ ...rules, rules: rules.rules.map(({ body: _, ...rule }) => rule) });
  // Both were compiled when the mapper was provisioned: what fails now is sent as it is.
  if (!whole.ok) return unfit(whole.error);
  if (!values.ok) return unfit(values.error);
  const made = { whole: whole.value, values: values.value };
  compiled.set(rules, made);
  return ok(made);
}

const unfit = ({ path, reason }: { readonly path: string; readonly reason: string }) =>
  fail<string>('eventMapInvalid', reason, `/mappingRules${path}`);

const subjectOf = ({ event, source, targetProtocol, sipFrom, domain, traceId }: MappingSubject) => ({
  domain,
  traceId,
  sipFrom,
  targetAlarmProtocol: targetProtocol,
  ...(source !== undefined && { sourceAlarmProtocol: source.protocol, sourceAlarmEvent: source }),
  alarmEvent: wordsOf(event),
});

function wordsOf(event: AlarmEvent): Words {
  const { controllerId, deviceId, audio, priority, callerId, customerSiteId } = event;
  return {
    eventType: 'common',
    controllerId,
    ...(deviceId !== undefined && { deviceId }),
    ...Object.fromEntries(
      CODED.flatMap((field) => {
        const said = wordOf(event[field]);
        return said === undefined ? [] : [[field, said]];
      }),
    ),
    audio,
    priority,
    ...(callerId !== undefined && { callerId }),
    ...(customerSiteId !== undefined && { customerSiteId }),
  };
}

const wordOf = (value: CodedValue | undefined): string | undefined =>
  value?.send ?? value?.receive ?? undefined;

/** The event with what the rules have set; whatever they made unusable stays as it was. */
function changed(event: AlarmEvent, before: Words, after: Words): AlarmEvent {
  const text = (name: string): { readonly [key: string]: string } =>
    typeof after[name] === 'string' && after[name] !== before[name] ? { [name]: after[name] } : {};
  const coded = CODED.flatMap((field) => {
    const word = after[field];
    return typeof word === 'string' && word !== before[field] ? [[field, codedFrom(field, word)]] : [];
  });
  const { audio, priority } = after;
  return {
    ...event,
    ...text('controllerId'),
    ...text('deviceId'),
    ...text('callerId'),
    ...text('customerSiteId'),
    ...Object.fromEntries(coded),
    ...(isAudio(audio) && { audio }),
    ...(typeof priority === 'number' && { priority: Math.min(9, Math.max(0, Math.trunc(priority))) }),
  };
}

const isAudio = (value: unknown): value is AlarmEvent['audio'] =>
  value === 'none' || value === 'simplex' || value === 'duplex';
