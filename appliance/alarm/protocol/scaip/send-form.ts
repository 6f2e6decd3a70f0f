import {
  type AlarmEvent,
  type CodedValue,
  type CodeTable,
  isAlarmState,
  type SourceAlarmEvent,
  scaipTable,
  sendForm,
} from '#shared/alarm-event/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { SYSTEM_CONFIG } from './element.codes.ts';
import type { ScaipRequestForm } from './request.ts';

export interface ScaipSendContext {
  /** Our reference, 1 to 16 signs; kept over every try and every way to the receiver. */
  readonly ref: string;
  /** The native event this one came from. Codes of SCAIP are sent on as they came, texts and position too. */
  readonly source?: SourceAlarmEvent;
  /** Code tables instead of the built-in ones. */
  readonly tables?: Readonly<Record<'dty' | 'stc' | 'lco' | 'dco', CodeTable>>;
}

const MAX_CID = 32;
/** The meaning of a device without speech. */
const NO_VOICE = 'no-voice:';
/** Device type not known; `dty` is mandatory. */
const UNKNOWN_DEVICE = '0000';
const UNKNOWN_STATE = '0000';
const HEARTBEAT = '0002';
const TEST_CALL = '0102';

/** Elements that have no field in the common event: between SCAIP and SCAIP nothing is lost. */
const TEXTS = ['dte', 'stt', 'lva', 'lte', 'ico', 'ite'] as const;

/**
 * The common event as elements of a request. Every event can be said in SCAIP as long as its controller fits in
 * `cid`: a device type without a code is 0000, a state without one is 0000 unless it is an alarm (then 0010, which a
 * missing `stc` means), a place or component without a code is left out.
 */
export function scaipForm(
  event: AlarmEvent,
  { ref, source, tables = scaipTable }: ScaipSendContext,
): Result<ScaipRequestForm, Failure<'notExpressible'>> {
  const cid = event.controllerId.trim();
  if (cid === '' || cid.length > MAX_CID)
    return fail('notExpressible', `controllerId is not 1 to ${MAX_CID} signs long`, '/controllerId');
  const fields = source?.protocol === 'scaip' ? source.fields : {};
  const form = sendForm(event);
  // A test call is an event of its own; a heartbeat is absorbed by the receiver.
  const isStateless = event.statusCode.receive === null && form.statusCode === null;
  const isHeartbeat = form.deviceType === 'heartbeat' && (isStateless || isSignOfLife(event, source));
  const location = codeOf(tables.lco, event.location, form.location, fields.lco);
  const component = codeOf(tables.dco, event.deviceComponent, form.deviceComponent, fields.dco);
  const messageType = isHeartbeat ? 'PI' : text(fields.mty)?.toUpperCase();
  const config = configOf(event);
  return ok({
    ref,
    cid,
    dty: isHeartbeat
      ? HEARTBEAT
      : (codeOf(tables.dty, event.deviceType, form.deviceType, fields.dty) ?? UNKNOWN_DEVICE),
    ...(config !== undefined && { sco: config }),
    ...(messageType !== undefined && messageType !== 'ME' && { mty: messageType }),
    ...(event.deviceId !== undefined && { did: event.deviceId }),
    ...(component !== undefined && { dco: component }),
    ...(!(isHeartbeat && isStateless) && {
      crd: callerOf(event),
      ...stateOf(event, form.statusCode, fields.stc, tables.stc),
    }),
    ...(event.priority > 0 && { pri: String(Math.min(9, Math.trunc(event.priority))) }),
    ...(location !== undefined && { lco: location }),
    ...Object.fromEntries(TEXTS.flatMap((tag) => (text(fields[tag]) ? [[tag, text(fields[tag])]] : []))),
    ...(isGroup(fields.lge) && { lge: fields.lge }),
  });
}

/**
 * An application says that its device is there. If we supervise the device, `online` is the end of `offline`, which its
 * receiver must get.
 */
const isSignOfLife = ({ statusCode }: AlarmEvent, source: SourceAlarmEvent | undefined): boolean =>
  source === undefined && statusCode.send === 'online';

/** The code as it came, unless the field was given another meaning; then the code for the word. */
function codeOf(
  table: CodeTable,
  value: CodedValue | undefined,
  word: string | null | undefined,
  came: unknown,
): string | undefined {
  if (value === undefined) return undefined;
  const width = table.rows[0]?.code.length ?? 0;
  if (value.native !== null && value.native === came)
    return value.native.replace(/^0+(?=\d)/, '').padStart(width, '0');
  return (word == null ? undefined : table.rowFor(word))?.code;
}

function stateOf(
  event: AlarmEvent,
  word: string | null,
  came: unknown,
  table: CodeTable,
): { readonly stc?: string } {
  const { native, receive } = event.statusCode;
  // A left-out state goes on as left out: both mean an alarm.
  if (came === undefined && native === null && word === null && receive === null) return {};
  const code = codeOf(table, event.statusCode, word, came);
  if (code !== undefined) return { stc: code };
  if (receive === 'alarmTest') return { stc: TEST_CALL };
  return word !== null && isAlarmState(word) ? {} : { stc: UNKNOWN_STATE };
}

/** 0 is what a missing `sco` means. */
function configOf({ systemConfig }: AlarmEvent): string | undefined {
  if (systemConfig === undefined) return undefined;
  const found = Object.entries(SYSTEM_CONFIG).find(([, word]) => word === systemConfig.send)?.[0];
  return found === '0' ? undefined : found;
}

/**
 * `Chosen:` a caller without a scheme is a SIP address, because we speak for the device and we speak SIP. Without a
 * caller `crd` is `sip:`, which names the medium alone.
 */
function callerOf({ audio, callerId }: AlarmEvent): readonly string[] {
  if (audio === 'none') return [NO_VOICE];
  if (callerId === undefined || callerId === '') return ['sip:'];
  return [/^[a-z][a-z-]*:/i.test(callerId) ? callerId : `sip:${callerId}`];
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

type Position = NonNullable<ScaipRequestForm['lge']>;
const isGroup = (value: unknown): value is Position =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([tag, one]) => ['geo', 'tim', 'gga'].includes(tag) && typeof one === 'string');
