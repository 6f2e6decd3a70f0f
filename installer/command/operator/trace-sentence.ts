import type { TraceStep } from '#shared/contract/session-record/index.ts';
import { LEFT_OUT, TRACE_MOST_STEPS } from '#shared/session-trace/index.ts';

type Detail = Readonly<Record<string, unknown>>;

/** A sentence for each kind of step. A kind of a newer host shows its name and detail. */
const SENTENCES: Readonly<Record<string, (detail: Detail) => string>> = {
  sipReceived: (d) => `receives SIP ${d.method} for ${d.uri} from ${d.source}`,
  frameReceived: (d) => `receives a frame of account ${d.account ?? 'unknown'} from ${d.source}`,
  sipAnswered: (d) => `answers SIP ${d.status} ${d.reason ?? ''}`,
  deviceIdentified: (d) => (d.known === false ? `does not know ${d.deviceId}` : `knows ${d.deviceId}`),
  receiverMatched: (d) => `picks ${d.name} (${d.protocol})`,
  eventUnderstood: (d) => `understands ${d.deviceType}, ${d.statusCode}`,
  stored: (d) => `has it on disk after ${ms(d.tookMs)}`,
  notStored: (d) => `could not store it: ${d.reason}`,
  callbackSent: (d) => `posts to ${d.url}`,
  callbackAnswered: (d) => `has HTTP ${d.status} after ${ms(d.tookMs)}`,
  callbackFailed: (d) => `got no usable answer: ${d.reason}`,
  decided: (d) => `decides ${d.kind}${d.destination === undefined ? '' : ` to ${d.destination}`}`,
  deviceAnswered: (d) => `answers the device: ${membersOf(d)}`,
  deviceConfirmed: (d) => `sees the device confirm with SIP ${d.status}`,
  deviceUnreached: (d) => `could not reach the device: ${d.reason}`,
  alarmRaised: (d) => `raises ${[d.type, d.error].filter((word) => word !== undefined).join(' ')}`,
  alarmSending: (d) => `sends the event to ${d.destination} (${d.protocol})`,
  alarmQueued: (d) => `has queued the event${d.way === undefined ? '' : ` by ${d.way}`}`,
  alarmSent: () => 'has delivered the event',
  alarmSendFailure: (d) => `could not send the event: ${d.reason}`,
  toneHeard: (d) =>
    d.digit === undefined ? `hears ${d.hz} Hz of ${d.ms} ms` : `hears ${d.digit} of ${d.ms} ms`,
  tonePlayed: (d) => `plays ${tonesOf(d.tones)}`,
  handshake: (d) =>
    [
      `${d.protocol} handshake: ${d.result}`,
      `requests ${d.requests}`,
      `bad strings ${d.badStrings}`,
      ...(d.levelDbm0 === undefined ? [] : [`level ${d.levelDbm0} dBm0`]),
      ...(d.twistDb === undefined ? [] : [`twist ${d.twistDb} dB`]),
    ].join(', '),
  voiceJoining: (d) => `calls ${d.destination}`,
  voiceJoined: (d) => `joins the speech of ${d.leg ?? 'both parties'}`,
  deviceCommand: (d) => `commands the device: ${d.command}`,
  recorded: (d) => `records into ${d.fileName}`,
  promptPlayed: (d) => `plays the prompt ${d.fileName}`,
  streamed: (d) => streamOf(d),
  mediaMeasured: (d) => measuredOf(d),
  mediaEnded: (d) => `audio of ${d.leg} ended: ${d.codec}, ${audioOf(d)}`,
  sessionEnded: (d) => `ends the session: ${d.outcome}`,
  furtherEnd: (d) => `ended the session, too (${d.result}); the record of ${d.counts} counts`,
  [LEFT_OUT]: (d) => `leaves out ${d.steps} steps here: a trace shows ${TRACE_MOST_STEPS} at most`,
  note: (d) => String(d.text),
};

const streamOf = ({ event, streamId, url, reason }: Detail): string =>
  event === 'STREAMSTARTED'
    ? `streams the call to ${url} (${streamId})`
    : `${event === 'STREAMFAILED' ? 'lost' : 'ended'} the stream ${streamId}: ${reason ?? 'stopped'}`;

const ms = (value: unknown): string => `${Number(value).toFixed(1)} ms`;

const membersOf = (detail: Detail): string =>
  Object.entries(detail)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const listOf = (value: unknown): readonly Detail[] => (Array.isArray(value) ? value : []);
const detailOf = (value: unknown): Detail =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** The tones as digits with their length; pauses are left out. */
const tonesOf = (value: unknown): string =>
  listOf(value)
    .flatMap((tone) => tone.digits ?? (tone.digit === undefined ? [] : `${tone.digit} of ${tone.ms} ms`))
    .join(', ');

function audioOf(detail: Detail): string {
  const { packets, lost, jitterMs } = detailOf(detail.received);
  return [
    `${packets} packets received`,
    `${lost} lost`,
    `jitter ${ms(jitterMs)}`,
    ...(detail.mos === undefined ? [] : [`MOS ${Number(detail.mos).toFixed(1)}`]),
  ].join(', ');
}

/** The windows of one step: the sum of what was counted, the worst of what was measured, and the windows with a loss. */
function measuredOf(detail: Detail): string {
  const numbersOf = (name: string): readonly number[] =>
    Array.isArray(detail[name]) ? detail[name].filter((value) => typeof value === 'number') : [];
  const sum = (name: string): number => numbersOf(name).reduce((whole, part) => whole + part, 0);
  const most = (name: string): string => ms(Math.max(0, ...numbersOf(name)));
  const [lost, levels] = [numbersOf('lost'), numbersOf('levelDbm0')];
  const lossy = lost.filter((count) => count > 0).length;
  const forMs = (lost.length - 1) * Number(detail.everyMs) + Number(detail.lastMs);
  return [
    `audio of ${detail.leg} in the last ${(forMs / 1_000).toFixed(1)} s: ${sum('received')} packets received`,
    lossy === 0 ? '0 lost' : `${sum('lost')} lost in ${lossy} of ${lost.length} windows`,
    `jitter up to ${most('jitterMs')}`,
    `lateness up to ${most('latenessMs')}`,
    ...(levels.length === 0 ? [] : [`level ${Math.min(...levels)} to ${Math.max(...levels)} dBm0`]),
  ].join(', ');
}

/** Ids of legs are a call's id and a number: within one trace the number suffices. */
const withoutIds = (text: string): string =>
  text.replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(\d+)/g, 'leg $1');

export const sentenceOf = ({ kind, detail }: TraceStep): string =>
  withoutIds(SENTENCES[kind]?.(detail).trimEnd() ?? `${kind} ${JSON.stringify(detail)}`);

const detectedDigit = ({ kind, detail }: TraceStep): string | undefined =>
  kind === 'toneHeard' && typeof detail.digit === 'string' ? detail.digit : undefined;

/** A step, and its sentence: digits that were heard in a row are one string. */
export function* spoken(steps: readonly TraceStep[]): Generator<readonly [TraceStep, string]> {
  for (let at = 0; at < steps.length; ) {
    const step = steps[at] as TraceStep;
    let end = at + 1;
    let digits = detectedDigit(step);
    for (let next = steps[end]; digits !== undefined && next?.hostId === step.hostId; next = steps[++end]) {
      const digit = detectedDigit(next);
      if (digit === undefined) break;
      digits += digit;
    }
    const isString = digits !== undefined && digits.length > 1;
    yield [step, isString ? `hears the digits ${digits}` : sentenceOf(step)];
    at = end;
  }
}
