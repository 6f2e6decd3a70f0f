import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import { alarmEventOf, decodeRequest, sourceEventOf } from '../../alarm/protocol/scaip/index.ts';
import { type CallbackCall, newAlarmCall, platformAlarmCall } from '../../delivery/callback/index.ts';
import type { AlarmForm, RecordName, Step } from '../situation/index.ts';

/** The place and the names of one request. */
export interface Scene {
  readonly domain: string;
  readonly traceId: string;
  readonly sessionId: string;
  /** Device of the alarm. */
  readonly unit: string;
  readonly replyId: string;
  readonly seq: number;
  readonly wallMs: number;
}

/** Hosts of the rehearsed site; addresses for documentation (RFC 5737). */
const HOSTS = {
  first: { ivrServer: '192.0.2.10', siteBaseUrl: 'https://192.0.2.10' },
  second: { ivrServer: '198.51.100.20', siteBaseUrl: 'https://198.51.100.20' },
} as const;

/** The callback of a step, composed as the engines do it. */
export function composed(step: Step, scene: Scene): CallbackCall {
  const call =
    step.record === undefined ? alarmCall(step.alarm ?? {}, scene) : recordCall(step.record, scene);
  return step.body === 'laidOut' ? { ...call, body: laidOut(call.body), shape: 'custom' } : call;
}

/** A SCAIP device sends it, the protocol reads it, delivery makes the callback of it. */
function alarmCall(form: AlarmForm, { domain, traceId, sessionId, unit, replyId, seq }: Scene): CallbackCall {
  const request = decodeRequest(scaip(form, unit, seq));
  // The frame is our own: what cannot be read is a defect of the table.
  if (!request.ok) throw new Error(`a rehearsed alarm is no SCAIP: ${request.error.reason}`);
  const made = newAlarmCall({
    ...{ sessionId, traceId, domain, protocol: 'scaip', siteId: 'rehearsal', replyId, eventSeq: seq },
    ...HOSTS[form.host ?? 'first'],
    ...{ sipFrom: unit, calledParty: 'rehearsal' },
    event: alarmEventOf(request.value),
    source: sourceEventOf(request.value, { policy: 'ignore', result: 'none' }),
    ...(form.device !== undefined && { unknownDeviceType: 'unknown' }),
  });
  if (!made.ok || made.value.kind === 'drop') throw new Error('a rehearsed alarm has no callback');
  const { call } = made.value;
  return form.newer === undefined
    ? call
    : { ...call, body: JSON.stringify({ ...JSON.parse(call.body), ...form.newer }) };
}

function scaip(
  { status = '0010', device = '0003', text, elements = 0 }: AlarmForm,
  unit: string,
  seq: number,
) {
  const words = text === undefined ? '' : `<ite>${text}</ite>`;
  const more = `<zzz>${'a word of the maker '.repeat(14)}</zzz>`.repeat(elements);
  return `<mrq><ref>${seq}</ref><cid>${unit}</cid><dty>${device}</dty><stc>${status}</stc>${words}${more}</mrq>`;
}

/** Records of engines that the rehearsal does not run, in the form of their contracts. */
function recordCall(name: RecordName, { domain, traceId, sessionId, unit, replyId, seq, wallMs }: Scene) {
  if (name === 'platformAlarm') {
    const expiration = wallMs - 60_000;
    const alarm: PlatformAlarm = {
      ...{ type: 'deviceHeartbeat', domain, time: wallMs, siteId: 'rehearsal' },
      ...{ deviceId: unit, status: 'offline', expiration },
    };
    return platformAlarmCall(alarm, traceId);
  }
  const head = { sessionId, domain, ...HOSTS.first, siteId: 'rehearsal', traceId, replyId };
  const sent = {
    ...{ ...head, protocol: 'bs8521', callingParty: unit, serviceProvider: 'alarm' },
    ...{ alarmString: 'A01005566778800420100000000000#', dialogId: `c0ffee@${HOSTS.first.ivrServer}` },
  };
  const call = { traceId, headers: {}, eventSeq: seq, shape: 'default' } as const;
  return name === 'unheardOf'
    ? { ...call, path: '/unitLocated', body: JSON.stringify({ ...head, position: { floor: 2 } }) }
    : { ...call, path: '/alarmSent', body: JSON.stringify(sent) };
}

/** The same JSON in another layout: line breaks, spaces, escapes beyond ASCII. */
const laidOut = (body: string): string =>
  JSON.stringify(JSON.parse(body), undefined, 3).replace(
    /[\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
