import type { ProtocolEvent } from '#appliance/alarm/protocol/index.ts';
import {
  decodeLacs,
  encodeReply,
  LACS_PROFILE,
  type LacsProfile,
  lacsEvent,
} from '#appliance/alarm/protocol/lacs/index.ts';
import { decodeAtm, initial, NOWIP_PROFILE, step } from '#appliance/alarm/protocol/nowip/index.ts';
import { decodeContent } from '#appliance/alarm/protocol/xml-message/index.ts';
import { inflate } from '#appliance/io/system/index.ts';

/** Everything that came of one body. */
export interface Outcome {
  readonly answers: readonly string[];
  readonly events: readonly Pick<ProtocolEvent, 'event' | 'kind' | 'source'>[];
  /** Each is a line of the log, or the text of the platform alarm of a message without a receiver. */
  readonly reports: readonly string[];
  readonly heartbeats: readonly string[];
}

const NOTHING: Outcome = { answers: [], events: [], reports: [], heartbeats: [] };

export interface Body {
  readonly body: Buffer;
  readonly encoding?: string | undefined;
}

/** Codec and machine of NOW-IP without sockets; the disk stores at once. */
export function receiveNowIp({ body, encoding }: Body): Outcome {
  const content = decodeContent(body, encoding, inflate);
  const read = content.ok ? decodeAtm(content.value) : content;
  if (!read.ok) return { ...NOTHING, reports: [read.error.reason] };
  const message = { type: 'message', at: 0, wallMs: 0, to: 'w', atm: read.value } as const;
  const first = step(initial(NOWIP_PROFILE), message);
  const events = first.effects.filter((effect) => effect.type === 'event');
  const rest = events.flatMap(
    (event) => step(first.state, { type: 'stored', at: 0, wallMs: 0, message: event.message }).effects,
  );
  const effects = [...first.effects, ...rest];
  return {
    answers: effects.flatMap((effect) => (effect.type === 'answer' ? [effect.xml] : [])),
    events,
    reports: effects.flatMap((effect) => (effect.type === 'notUnderstood' ? [effect.reason] : [])),
    heartbeats: effects.flatMap((effect) =>
      effect.type === 'heartbeat' ? [`${effect.controllerId}${effect.deviceId}`] : [],
    ),
  };
}

/** A profile as a customer writes it. */
const PROFILE: LacsProfile = {
  ...LACS_PROFILE,
  requestRoot: 'alarm',
  fieldPaths: {
    ...LACS_PROFILE.fieldPaths,
    controllerId: 'controller',
    deviceId: 'unit',
    eventCode: 'event',
    reference: 'ref',
  },
  events: { F1: { deviceType: 'smokeDetector', statusCode: 'alarm' } },
  reply: { ...LACS_PROFILE.reply, root: 'ok' },
};

/** Codec of LACS; the disk stores at once. */
export function receiveLacs({ body, encoding }: Body): Outcome {
  const content = decodeContent(body, encoding, inflate);
  const read = content.ok ? decodeLacs(content.value, PROFILE) : content;
  if (!read.ok) return { ...NOTHING, reports: [read.error.reason] };
  const answer = encodeReply(read.value, undefined, PROFILE);
  return {
    ...NOTHING,
    answers: answer === undefined ? [] : [answer],
    events: [lacsEvent(read.value, '4670000001', PROFILE)],
  };
}
