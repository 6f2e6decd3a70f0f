import {
  type AlarmEvent,
  type CodedValue,
  type SourceAlarmEvent,
  scaipTable,
} from '#shared/alarm-event/index.ts';
import { STC_CANCEL, SYSTEM_CONFIG } from './element.codes.ts';
import { callableAddress, wantsVoice } from './medium.ts';
import type { ScaipRequest } from './request.ts';

/** `stc` left out means an alarm raised by a person. */
const STC_DEFAULT = '0010';

/** The request as internal event: native codes kept, both lists looked up, unknown codes without a word. */
export function alarmEventOf(request: ScaipRequest): AlarmEvent {
  const { did, lco, dco, media, priority } = request;
  const callerId = callableAddress(media);
  return {
    controllerId: request.cid,
    ...(did !== undefined && { deviceId: did }),
    deviceType: scaipTable.dty.coded(request.dty),
    statusCode: statusOf(request),
    ...(lco !== undefined && { location: scaipTable.lco.coded(lco) }),
    ...(dco !== undefined && { deviceComponent: scaipTable.dco.coded(dco) }),
    systemConfig: systemConfigOf(request),
    audio: wantsVoice(media) ? 'duplex' : 'none',
    priority,
    ...(callerId !== undefined && { callerId }),
  };
}

/** Everything the device said, beside its translation. */
export function sourceEventOf(
  request: ScaipRequest,
  check: SourceAlarmEvent['check'],
  warnings: readonly string[] = [],
): SourceAlarmEvent {
  return {
    protocol: 'scaip',
    raw: request.raw,
    fields: request.fields,
    check,
    warnings: [...request.warnings, ...unknownCodes(request), ...warnings],
  };
}

/** Whether this request takes back an alarm: mty RE of the same reference, or stc 0019 of the same controller. */
export const isWithdrawal = (request: ScaipRequest): boolean =>
  request.messageType === 'RE' || isCancel(request);

/** stc 0019 withdraws whatever the reference. */
export const isCancel = ({ stc }: ScaipRequest): boolean => stc !== undefined && Number(stc) === STC_CANCEL;

function statusOf(request: ScaipRequest): CodedValue {
  const { stc, messageType } = request;
  const coded = scaipTable.stc.coded(stc ?? STC_DEFAULT);
  const status = stc === undefined ? { ...coded, native: null } : coded;
  // A reset repeats the status of the alarm it takes back: what counts is that it is over.
  if (messageType === 'RE' && status.receive !== 'cleared')
    return { ...status, send: 'cancel', receive: 'cleared' };
  return status;
}

function systemConfigOf({ systemConfig, fields }: ScaipRequest): CodedValue {
  const code = systemConfig.replace(/^0+(?=\d)/, '');
  const word = Object.hasOwn(SYSTEM_CONFIG, code) ? (SYSTEM_CONFIG[code] ?? null) : null;
  return { native: Object.hasOwn(fields, 'sco') ? systemConfig : null, send: word, receive: word };
}

function unknownCodes({ dty, stc, lco, dco }: ScaipRequest): string[] {
  const unknown = (tag: keyof typeof scaipTable, code: string | undefined) =>
    code !== undefined && scaipTable[tag].lookup(code) === undefined ? [`unknownCode:${tag}`] : [];
  return [...unknown('dty', dty), ...unknown('stc', stc), ...unknown('lco', lco), ...unknown('dco', dco)];
}
