import type { TraceEntry, TraceKind } from '../kernel/session-trace.ts';
import { type Draft, eventOf, text, whole } from './draft.ts';
import { endOf } from './result.ts';

type Detail = TraceEntry['detail'];
type Fold = (draft: Draft, detail: Detail, atMs: number) => void;

/** Entries that a record takes something from; the others are for the trace alone. */
const FOLDS: { readonly [Kind in TraceKind]?: Fold } = {
  sipReceived: (draft, { uri, from, source }) => {
    draft.requestUri ??= text(uri);
    draft.from ??= userOf(text(from));
    draft.to ??= userOf(text(uri));
    draft.source ??= addressOf(text(source));
  },
  frameReceived: (draft, { account, source }) => {
    draft.from ??= text(account);
    draft.source ??= addressOf(text(source));
  },
  sipAnswered: (draft, { status, reason, early }, atMs) => {
    const code = number(status);
    if (code === undefined || code < 200 || early === true) return;
    draft.answer ??= { status: code, reason: text(reason) ?? '' };
    // A MESSAGE gets its 200 before anything is decided, and an alarm in a call its tone: neither is the SIP answer.
    if (code < 300 && draft.kind !== 'alarm') draft.times.deviceAnswered ??= wall(atMs);
  },
  deviceIdentified: (draft, { deviceId, known }) => {
    if (known === false) warn(draft, `unknown device ${text(deviceId) ?? ''}`.trim());
    else draft.deviceId ??= text(deviceId);
  },
  receiverMatched: (draft, { alarmBridgeId, name, protocol, rule }) => {
    draft.receiver ??= text(alarmBridgeId);
    draft.receiverName ??= text(name);
    draft.protocol ??= text(protocol);
    draft.rule ??= text(rule);
  },
  eventUnderstood: (draft, detail) => {
    if (draft.event === undefined) eventOf(draft, detail);
  },
  stored: (draft, _, atMs) => {
    draft.times.stored ??= wall(atMs);
  },
  notStored: (draft, { reason }) => warn(draft, `not stored: ${text(reason) ?? ''}`),
  callbackSent: (draft) => {
    const { count, ...rest } = deliveriesOf(draft);
    draft.deliveries = { ...rest, count: count + 1 };
  },
  callbackAnswered: (draft, { status }, atMs) => {
    const { failed, ...rest } = deliveriesOf(draft);
    const lastStatus = number(status);
    const isAccepted = lastStatus !== undefined && lastStatus >= 200 && lastStatus < 300;
    if (isAccepted) draft.times.callbackAnswered ??= wall(atMs);
    draft.deliveries = {
      ...rest,
      failed: failed + (isAccepted ? 0 : 1),
      ...(lastStatus !== undefined && { lastStatus }),
    };
  },
  callbackFailed: (draft, { reason }) => {
    const { failed, ...rest } = deliveriesOf(draft);
    const lastReason = text(reason);
    draft.deliveries = { ...rest, failed: failed + 1, ...(lastReason !== undefined && { lastReason }) };
  },
  deviceAnswered: (draft, _, atMs) => {
    draft.times.deviceAnswered ??= wall(atMs);
  },
  tonePlayed: (draft, _, atMs) => {
    if (draft.kind === 'alarm' && draft.times.stored !== undefined) draft.times.deviceAnswered ??= wall(atMs);
  },
  deviceUnreached: (draft, { reason }) => warn(draft, `the device was not reached: ${text(reason) ?? ''}`),
  alarmRaised: (draft, { type, error }) => warn(draft, [text(type), text(error)].filter(Boolean).join(' ')),
  alarmSending: (draft, { destination }) => {
    draft.tries = (draft.tries ?? 0) + 1;
    if (draft.kind === 'alarmSent') draft.to = text(destination) ?? draft.to;
  },
  alarmSent: (draft, _, atMs) => {
    draft.acceptedBy = draft.to;
    draft.times.deviceAnswered ??= wall(atMs);
  },
  alarmSendFailure: (draft, { warning, reason }) => {
    draft.reason = text(reason) ?? text(warning);
    warn(draft, text(warning));
  },
  handshake: (draft, { protocol, result, requests, badStrings, levelDbm0, twistDb }) => {
    draft.protocol ??= text(protocol);
    const count = number(requests);
    draft.tries = count ?? draft.tries;
    draft.tones = {
      firstTry: result === 'first',
      ...member('requests', count),
      ...member('badStrings', number(badStrings)),
      ...member('levelDbm0', number(levelDbm0)),
      ...member('twistDb', number(twistDb)),
    };
  },
  mediaEnded: (draft, detail) => {
    const leg = text(detail.leg);
    if (leg === undefined) return;
    const received = detail.received as { packets?: unknown; lost?: unknown; jitterMs?: unknown } | undefined;
    const one = {
      leg: lastPart(leg),
      ...member('codec', text(detail.codec)),
      ...member('received', whole(received?.packets)),
      ...member('lost', whole(received?.lost)),
      ...member('jitterMs', rounded(received?.jitterMs, 10)),
      ...member('roundTripMs', rounded(detail.roundTripMs, 10)),
      ...member('mos', rounded(detail.mos, 100)),
    };
    draft.legs = [...(draft.legs ?? []).filter((other) => other.leg !== one.leg), one];
  },
  voiceJoining: (draft, { destination }) => {
    draft.called = text(destination) ?? draft.called;
  },
  voiceJoined: (draft, { destination }, atMs) => {
    draft.times.voiceJoined ??= wall(atMs);
    draft.acceptedBy ??= text(destination) ?? draft.called;
  },
  note: (draft, { trunkId, warning }) => {
    warn(draft, text(warning));
    const dialled = text(trunkId);
    // The trunk of an alarm is the one that its device came by; another one leads to people.
    if (dialled === undefined || draft.kind === 'alarm') return;
    if (draft.trunk !== undefined && draft.isTrunkDialled !== true) return;
    draft.trunk = dialled;
    draft.isTrunkDialled = true;
  },
  emergencyProgress: (draft, { step, destination }) => {
    if (step === 'accepted') draft.acceptedBy = text(destination) ?? draft.acceptedBy;
  },
  recorded: (draft, { fileName, transcribed }) => {
    const name = text(fileName);
    if (name === undefined) return;
    draft.recordings = [...(draft.recordings ?? []), name];
    if (transcribed === true) draft.transcripts = (draft.transcripts ?? 0) + 1;
  },
  promptPlayed: (draft, { fileName }) => {
    const name = text(fileName);
    if (name !== undefined && draft.prompts?.includes(name) !== true)
      draft.prompts = [...(draft.prompts ?? []), name];
  },
  streamed: (draft, { event, url }) => {
    const name = event === 'STREAMSTARTED' ? originOf(text(url)) : undefined;
    if (name !== undefined) draft.streams = [...(draft.streams ?? []), name];
  },
  sessionEnded: (draft, detail, atMs) => {
    if (draft.times.ended !== undefined) return;
    const ended = Math.max(draft.at, wall(atMs));
    draft.times.ended = ended;
    draft.durationMs = ended - draft.at;
    const { voiceJoined } = draft.times;
    if (voiceJoined !== undefined) draft.speechMs = Math.max(0, ended - voiceJoined);
    Object.assign(draft, endOf(draft, detail));
  },
};

/** One entry of the trace into the record; gives back whether the session is over. */
export function fold(draft: Draft, { kind, detail, atMs }: TraceEntry): boolean {
  FOLDS[kind]?.(draft, detail, atMs);
  return kind === 'sessionEnded';
}

const deliveriesOf = ({ deliveries }: Draft) => deliveries ?? { count: 0, failed: 0 };

/** A deviation that was tolerated; each once. */
function warn(draft: Draft, warning: string | undefined): void {
  if (warning === undefined || warning === '' || draft.warnings?.includes(warning)) return;
  draft.warnings = [...(draft.warnings ?? []), warning];
}

const member = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
/** To tenths or hundredths: more digits say nothing. */
const rounded = (value: unknown, parts: number): number | undefined => {
  const found = number(value);
  return found === undefined ? undefined : Math.round(found * parts) / parts;
};
const wall = (atMs: number): number => Math.max(0, Math.floor(atMs));
/** `<call id>.2` is `2`: the call is named by the record. */
const lastPart = (leg: string): string => leg.slice(leg.lastIndexOf('.') + 1) || leg;
const userOf = (uri: string | undefined): string | undefined =>
  uri === undefined ? undefined : (/^<?(?:sips?:|tel:)([^@;>]*)/i.exec(uri)?.[1] ?? undefined);
/** Without its port. */
const addressOf = (source: string | undefined): string | undefined => source?.replace(/:\d+$/, '');
/** Scheme and host: a path may hold a secret of the program, and a record leaves the site. */
const originOf = (url: string | undefined): string | undefined => /^\w+:\/\/[^/]+/.exec(url ?? '')?.[0];
