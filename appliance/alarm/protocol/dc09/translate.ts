import {
  type AlarmEvent,
  contactIdAlarm,
  contactIdWarnings,
  eventTable,
  SIA_EVENTS,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';
import { type Failure, ok, type Result } from '#shared/result.ts';
import {
  type AdmCidEvent,
  decodeAdmCid,
  decodeSia,
  isSameAccount,
  type SiaEvent,
} from '../sia-data/index.ts';
import type { Dc09Content } from './content.ts';
import { accountOf, type Dc09Message } from './message.ts';
import { XDATA } from './xdata.codes.ts';

const siaTable = eventTable(SIA_EVENTS);

/** One event of a frame, in both forms. */
export interface Dc09Event {
  readonly event: AlarmEvent;
  readonly source: SourceAlarmEvent;
}

/**
 * The events of a frame: several where a panel packs them together, in one data field or in several. The account is that
 * of the data, else that of the head. Frames carry no speech: audio is none. `warnings`: those of the frame itself.
 */
export function eventsOf(
  message: Dc09Message,
  content: Dc09Content,
  warnings: readonly string[],
): Result<readonly Dc09Event[], Failure<'Malformed'>> {
  const fields = [content.data, ...content.furtherData].map((data) => ({
    data,
    read: dataEvents(message.head.token, data),
  }));
  const [failed] = fields.flatMap(({ read }) => (read.ok ? [] : [read]));
  if (failed !== undefined && !fields.some(({ read }) => read.ok)) return failed;
  const all = failed === undefined ? warnings : [...warnings, 'unreadData'];
  return ok(
    fields.flatMap(({ data, read }) =>
      (read.ok ? read.value : []).map((one) => {
        const its = { ...content, data };
        return 'code' in one ? siaEvent(one, message, its, all) : admCidEvent(one, message, its, all);
      }),
    ),
  );
}

/** The frame of a known account whose data names no event: the event is unknown, and `raw` holds all that was sent. */
export function unreadableEvent(
  message: Dc09Message,
  content: Dc09Content,
  warnings: readonly string[],
): Dc09Event {
  const account = accountOf(message);
  return {
    event: {
      controllerId: account ?? NO_CONTROLLER,
      deviceType: UNKNOWN,
      statusCode: UNKNOWN,
      audio: 'none',
      priority: 0,
    },
    source: sourceOf({ account }, ['unreadable', ...warnings], message, content),
  };
}

const UNKNOWN = { native: null, send: null, receive: null };

/** Interop: data of the other kind than its token says is read by its own form. */
function dataEvents(
  token: string,
  data: string,
): Result<readonly (SiaEvent | AdmCidEvent)[], Failure<'Malformed'>> {
  const cid = decodeAdmCid(data);
  if (token === 'ADM-CID' && cid.ok) return ok([cid.value]);
  const sia = decodeSia(data);
  if (sia.ok) return sia;
  return cid.ok ? ok([cid.value]) : token === 'ADM-CID' ? cid : sia;
}

function siaEvent(
  sia: SiaEvent,
  message: Dc09Message,
  content: Dc09Content,
  warnings: readonly string[],
): Dc09Event {
  const { account, isNew, modifiers, area, code, zone, text, warnings: unread } = sia;
  const controller = account ?? message.head.account;
  const known = siaTable.lookup(code) !== undefined;
  return {
    event: {
      controllerId: controller ?? NO_CONTROLLER,
      ...(zone !== '' && { deviceId: zone }),
      ...siaTable.coded(code),
      audio: 'none',
      priority: 0,
    },
    source: sourceOf(
      { account: controller, new: isNew, area, code, zone, text, modifiers },
      [...(known ? [] : ['unknownCode:code']), ...unread, ...accountWarnings(account, message), ...warnings],
      message,
      content,
    ),
  };
}

function admCidEvent(
  { account, ...cid }: AdmCidEvent,
  message: Dc09Message,
  content: Dc09Content,
  warnings: readonly string[],
): Dc09Event {
  const controller = account ?? message.head.account;
  return {
    event: contactIdAlarm(controller ?? NO_CONTROLLER, cid, 'none'),
    source: sourceOf(
      { account: controller, ...cid },
      [...contactIdWarnings(cid), ...accountWarnings(account, message), ...warnings],
      message,
      content,
    ),
  };
}

/**
 * Chosen: the receiver delivers an event also when the message names no account; the match of the alarm receiver has to place
 * it.
 */
const NO_CONTROLLER = '0';

function accountWarnings(inData: string | null, { head }: Dc09Message): readonly string[] {
  if (inData === null) return head.account === null ? ['noAccount'] : [];
  const differs = head.account !== null && !isSameAccount(head.account, inData);
  return differs ? ['accountMismatch'] : [];
}

/** Everything the panel said. `raw` of an encrypted frame is its cipher text: the fields hold what was in it. */
function sourceOf(
  said: Readonly<Record<string, unknown>>,
  warnings: readonly string[],
  { head, raw }: Dc09Message,
  { data, xdata, timeMs, warnings: found }: Dc09Content,
): SourceAlarmEvent {
  const { token, sequence, receiver, line } = head;
  return {
    protocol: 'dc09',
    raw,
    fields: {
      token,
      sequence,
      ...(receiver !== null && { receiver }),
      ...(line !== null && { line }),
      data,
      ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
      ...(xdata.length > 0 && { xdata: xdata.map(({ id, text }) => ({ id, key: keyOf(id), text })) }),
      ...(timeMs !== null && { time: new Date(timeMs).toISOString() }),
    },
    check: { policy: 'crc', result: 'ok' },
    warnings: [...new Set([...found, ...warnings])],
  };
}

const keyOf = (id: string): string => XDATA.find((row) => row.id === id)?.key ?? 'unknown';
