import { bold, cyan, dim, green, red, say } from '../io/terminal/terminal.ts';
import type { ArcRequest, TraceLine } from '../program.ts';

export type Party = 'device' | 'appliance' | 'application' | 'operator';

/** Something that a party did, for a person to read. */
export interface Moment {
  /** Epoch ms with fraction. */
  readonly atMs: number;
  readonly who: Party;
  readonly text: string;
}

export interface AlarmTimeline {
  /** The point that this alarm shows. */
  readonly title: string;
  readonly steps: readonly Moment[];
  readonly trace: readonly TraceLine[];
  readonly request: ArcRequest;
}

/** Prints the way of one alarm: what the device, the appliance and the application did, in order. */
export function printTimeline(story: AlarmTimeline): void {
  const moments = [...story.steps, ...story.trace.flatMap(ofTrace), ofRequest(story.request)];
  moments.sort((a, b) => a.atMs - b.atMs);
  const [first] = moments;
  if (first === undefined) return;
  say(`${bold(story.title)}   ${dim(`trace ${story.request.traceId}`)}`);
  say();
  for (const moment of moments) {
    const ms = (moment.atMs - first.atMs).toFixed(1).padStart(8);
    say(`${dim(`${ms} ms`)}  ${shade(moment.who)(moment.who.padEnd(11))}  ${moment.text}`);
  }
}

const shade = (who: Party) =>
  who === 'device' ? cyan : who === 'application' || who === 'operator' ? green : bold;

function ofRequest(request: ArcRequest): Moment {
  const signature = request.verified ? 'signature valid' : red('signature not valid');
  const answer = JSON.stringify(request.answer);
  return {
    atMs: request.atMs,
    who: 'application',
    text: `gets one JSON callback, ${signature}; answers ${answer}`,
  };
}

type Sentence = (detail: Readonly<Record<string, unknown>>) => string;

/** The meaning of each entry of the appliance's trace for a person who sees it for the first time. */
const SENTENCES: Readonly<Record<string, Sentence>> = {
  sipReceived: (d) => `receives SIP ${d.method} for ${d.uri} from ${d.source} over ${d.transport}`,
  sipAnswered: (d) =>
    d.leg === undefined
      ? `answers SIP ${d.status} ${d.reason}: it has arrived, nothing is promised yet`
      : `answers the call (SIP ${d.status})`,
  deviceIdentified: (d) =>
    d.known === false
      ? `does not know ${d.deviceId}: the alarm is handled all the same, and unknownDevice is raised`
      : `knows the device ${d.deviceId} (authType ${d.authType})`,
  receiverMatched: (d) => `picks the alarm bridge ${d.name} (${d.protocol})`,
  eventUnderstood: (d) =>
    `understands: ${d.deviceType}, ${d.statusCode}, audio ${d.audio}, priority ${d.priority}`,
  stored: (d) => `has it on disk, synced in ${ms(d.tookMs)}: from here it cannot be lost`,
  notStored: (d) => `could not store it (${d.reason}): the device gets no answer and repeats`,
  callbackSent: (d) => `posts newAlarmbridgeEvent to ${d.url}`,
  callbackAnswered: (d) => `has the answer after ${ms(d.tookMs)}: HTTP ${d.status} ${d.body}`,
  callbackFailed: (d) => `got no usable answer (${d.reason}): the fallback acts`,
  decided: (d) => `decides: ${d.kind}${d.destination === undefined ? '' : ` to ${d.destination}`}`,
  deviceAnswered: (d) =>
    `answers the device: snu ${d.snu}, mre ${d.mre}${d.cre === undefined ? '' : `, cre ${d.cre}`}${d.tnu === undefined ? '' : `, call ${d.tnu}`}`,
  deviceConfirmed: (d) => `sees the device confirm with SIP ${d.status}`,
  deviceUnreached: (d) => `could not reach the device with the answer: ${d.reason}`,
  tonePlayed: (d) => `plays ${tones(d.tones)}`,
  voiceJoining: (d) => `calls ${d.destination} and joins the speech`,
  deviceCommand: (d) => `commands the device: ${d.command}`,
  sessionEnded: (d) => `ends the session: ${d.outcome}`,
  alarmRaised: (d) => `raises ${d.type}${d.error === undefined ? '' : ` ${d.error}`}`,
};

/** Tones as a person reads them: the digits, or what they are. */
const tones = (value: unknown): string =>
  (value as readonly Readonly<Record<string, unknown>>[])
    .flatMap((tone) => tone.digits ?? (tone.digit === undefined ? [] : `${tone.digit} of ${tone.ms} ms`))
    .join(', ');

const ms = (value: unknown): string => `${Number(value).toFixed(1)} ms`;

function ofTrace(line: TraceLine): Moment[] {
  const sentence = SENTENCES[line.kind];
  return sentence === undefined ? [] : [{ atMs: line.atMs, who: 'appliance', text: sentence(line.detail) }];
}
