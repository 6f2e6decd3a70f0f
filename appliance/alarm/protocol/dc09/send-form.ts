import type { AlarmEvent, SourceAlarmEvent } from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { encodeAdmCid, encodeSia } from '../sia-data/index.ts';
import type { Xdata } from './content.ts';
import type { Outgoing } from './sender.ts';
import { SIA_MAPPINGS, type SiaCode, type SiaMapping, type StatusClass } from './sia-mapping.codes.ts';

export interface Dc09SendContext {
  readonly token: 'SIA-DCS' | 'ADM-CID';
  readonly mapping?: SiaMapping;
  readonly source?: SourceAlarmEvent;
  /** Replaces the controllerId of the event. */
  readonly account?: string;
  /** Words of device type, state and place in extended data I and L. */
  readonly withText?: boolean;
}

/** The parts of a frame that the event gives: account, data, extended data. Sequence, line and key are the way's. */
export type Dc09Said = Pick<Outgoing, 'token' | 'account' | 'data'> & { readonly xdata: readonly Xdata[] };

const DEFAULT_MAPPING = SIA_MAPPINGS.default as SiaMapping;
const AREA = '1';
const GROUP = '01';
const MAX_XDATA = 256;

/** The common event as data of a frame. `notExpressible`: the controllerId has no hexadecimal digit. */
export function dc09Form(
  event: AlarmEvent,
  context: Dc09SendContext,
): Result<Dc09Said, Failure<'notExpressible'>> {
  const account = accountOf(context.account ?? event.controllerId);
  if (account === undefined)
    return fail('notExpressible', 'controllerId has no hexadecimal digits for an account', '/controllerId');
  const { token } = context;
  const { sia, cid } = nativeCode(event, context) ?? siaCode(event, context.mapping, context.source);
  const zone = zoneOf(event, context.source);
  const data =
    token === 'SIA-DCS'
      ? encodeSia({ account, area: AREA, code: sia, zone: String(Number(zone.slice(-4))) })
      : encodeAdmCid(account, {
          qualifier: cid[0] ?? '1',
          event: cid.slice(1),
          group: GROUP,
          zone: zone.slice(-3).padStart(3, '0'),
        });
  return ok({ token, account, data, xdata: context.withText === true ? textsOf(event, context.source) : [] });
}

/** Both codes of an event: rules on the native event, rules on the state, then device type and class of the state. */
export function siaCode(
  event: AlarmEvent,
  mapping: SiaMapping = DEFAULT_MAPPING,
  source?: SourceAlarmEvent,
): SiaCode {
  const deviceType = event.deviceType.send ?? event.deviceType.receive ?? 'unknown';
  const status = event.statusCode.send ?? event.statusCode.receive;
  const native = mapping.nativeRules.find(
    ({ element, value }) => isUnchanged(event, element, source) && holds(value, source?.fields[element]),
  );
  if (native !== undefined) return native;
  const rule = mapping.statusRules.find(
    (one) =>
      status !== null &&
      one.statusCode.includes(status) &&
      (one.deviceType === undefined || one.deviceType.includes(deviceType)),
  );
  if (rule !== undefined) return rule;
  const device = mapping.devices[deviceType] ?? mapping.devices.unknown;
  const kind = classOf(mapping, status);
  if (kind !== 'info') return device?.[kind] ?? UNKNOWN_ALARM;
  return { sia: 'YY', cid: `6${(device?.alarm ?? UNKNOWN_ALARM).cid.slice(1)}` };
}

const UNKNOWN_ALARM: SiaCode = { sia: 'UA', cid: '1140' };

/** No state counts as an alarm; so does a state without a class. */
function classOf({ statusClass }: SiaMapping, status: string | null): StatusClass | 'info' {
  const kinds = Object.keys(statusClass) as (StatusClass | 'info')[];
  return (status === null ? undefined : kinds.find((kind) => statusClass[kind].includes(status))) ?? 'alarm';
}

/** A code that came in the same tables goes on as it came, unless the event was given another meaning since. */
function nativeCode(
  { deviceType, statusCode }: AlarmEvent,
  { token, source }: Dc09SendContext,
): SiaCode | undefined {
  if (source?.protocol !== 'dc09' && source?.protocol !== 'contactId') return undefined;
  const code = deviceType.native;
  if (code === null || code !== statusCode.native) return undefined;
  const fits = token === 'SIA-DCS' ? /^[A-Z]{2}$/ : /^[136][0-9A-F]{3}$/;
  return fits.test(code) ? { sia: code, cid: code } : undefined;
}

/** A rule on `dty` or `stc` holds as long as the event still means what stood there. */
function isUnchanged(
  { deviceType, statusCode }: AlarmEvent,
  element: string,
  source?: SourceAlarmEvent,
): boolean {
  const came = source?.fields[element];
  if (came === undefined) return false;
  if (element === 'dty') return deviceType.native === came;
  return element === 'stc' ? statusCode.native === came : true;
}

function holds(values: readonly string[], came: unknown): boolean {
  if (typeof came !== 'string') return false;
  const isNumber = /^\d+$/.test(came);
  return values.some((one) => (isNumber && /^\d+$/.test(one) ? Number(one) === Number(came) : one === came));
}

function accountOf(controllerId: string): string | undefined {
  const hex = controllerId
    .replace(/[^0-9a-f]/gi, '')
    .slice(-16)
    .toUpperCase();
  return hex === '' ? undefined : hex.padStart(4, '0');
}

/** The unit where it is all digits, else the SCAIP component where that is; 0 = none. */
function zoneOf({ deviceId }: AlarmEvent, source?: SourceAlarmEvent): string {
  if (deviceId !== undefined && /^\d+$/.test(deviceId)) return deviceId;
  const component = source?.protocol === 'scaip' ? source.fields.dco : undefined;
  return typeof component === 'string' && /^\d+$/.test(component) ? component : '0';
}

function textsOf(
  { deviceType, statusCode, location }: AlarmEvent,
  source?: SourceAlarmEvent,
): readonly Xdata[] {
  const words = [deviceType, statusCode].map((one) => one.send ?? one.receive);
  const said = (tags: readonly string[]) =>
    source?.protocol === 'scaip'
      ? tags.map((tag) => source.fields[tag]).filter((one) => typeof one === 'string')
      : [];
  const text = said(['dte', 'stt', 'ite']);
  const place = said(['lte']);
  return [
    { id: 'I', text: written(text.length > 0 ? text : words) },
    { id: 'L', text: written(place.length > 0 ? place : [location?.send ?? location?.receive]) },
  ].filter((one) => one.text !== '');
}

/** Without what ends a field of the frame. */
const written = (parts: readonly unknown[]): string =>
  parts
    .filter((one): one is string => typeof one === 'string' && one !== '')
    .join(' ')
    .replace(/[[\]|\r\n]/g, ' ')
    .slice(0, MAX_XDATA);
