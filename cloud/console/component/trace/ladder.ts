import type { Operations } from '#shared/client/index.ts';
import { type Step, toneRow } from './lane.ts';

export type Capture = Operations['getRecordByDomainByRecordIdCaptureJson']['answer']['capture'];
export type Message = Capture['messages'][number];

/** A vertical line of the ladder: a host, or an address with the role that it plays. */
export interface Party {
  readonly id: string;
  readonly role: 'host' | 'device' | 'application' | 'other';
}

/** An arrow of the ladder. `from` and `to` are indexes of parties. */
export interface Rung {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly protocol: string;
  /** Whole message; absent for tones. */
  readonly message?: Message;
  readonly tones?: readonly Step[];
  /** Height above the arrow in pixels. */
  readonly height: number;
}

export interface Ladder {
  readonly parties: readonly Party[];
  readonly rungs: readonly Rung[];
}

/** Pixels of one rung; drawn true, a pause adds to it. */
const RUNG = 34;
const MOST_PAUSE = 180;
const PIXELS_PER_SECOND = 40;

/** Epoch ms of an ISO time with microseconds, which `Date` cuts to milliseconds. */
export function msOf(iso: string): number {
  const micros = /\.\d{3}(\d{1,3})/.exec(iso)?.[1] ?? '';
  return Date.parse(iso) + Number(micros.padEnd(3, '0')) / 1_000;
}

/**
 * Messages and tones of a session as a ladder. Parties stand as device, hosts, application, others. `isTrue`: a pause is drawn as
 * long as it was, up to a limit; else all rungs stand at the same distance.
 */
export function ladderOf(messages: readonly Message[], steps: readonly Step[], isTrue: boolean): Ladder {
  const device = deviceAddress(messages, steps);
  const tones = toneRows(steps);
  const events = [
    ...messages.map((message) => ({ at: msOf(message.at), message, tones: undefined })),
    ...tones.map((row) => ({ at: row[0]?.at ?? 0, message: undefined, tones: row })),
  ].toSorted((a, b) => a.at - b.at);
  const parties = partiesOf(messages, tones, device);
  const index = (id: string): number => parties.findIndex((each) => each.id === id);
  const first = events[0]?.at ?? 0;
  let before = first;
  const rungs = events.map(({ at, message, tones: row }): Rung => {
    const height = RUNG + (isTrue ? Math.min(MOST_PAUSE, ((at - before) / 1_000) * PIXELS_PER_SECOND) : 0);
    before = at;
    const shared = { atMs: at - first, height };
    if (message !== undefined) {
      const { hostId, direction, protocol } = message;
      const [host, other] = [index(hostId), index(otherEnd(message, device))];
      const [from, to] = direction === 'in' ? [other, host] : [host, other];
      return { ...shared, from, to, label: labelOf(message), protocol, message };
    }
    const [step] = row;
    const [host, end] = [index(step?.hostId ?? ''), index(DEVICE)];
    const [from, to] = step?.direction === 'out' ? [host, end] : [end, host];
    return { ...shared, from, to, label: toneLabel(row), protocol: 'tones', tones: row };
  });
  return { parties, rungs };
}

const DEVICE = 'device';

/** The address of the device: the source of the first SIP request that the trace notes of it. */
function deviceAddress(messages: readonly Message[], steps: readonly Step[]): string | undefined {
  const noted = steps.find(({ party, direction }) => party === 'device' && direction === 'in')?.detail.source;
  if (typeof noted === 'string' && messages.some(({ from, to }) => from === noted || to === noted))
    return noted;
  return messages.find(({ direction, protocol }) => direction === 'in' && protocol !== 'http')?.from;
}

function otherEnd({ direction, from, to }: Message, device: string | undefined): string {
  const address = direction === 'in' ? from : to;
  return address === device ? DEVICE : address;
}

const ORDER: readonly Party['role'][] = ['device', 'host', 'application', 'other'];

function partiesOf(
  messages: readonly Message[],
  tones: readonly (readonly Step[])[],
  device: string | undefined,
): readonly Party[] {
  const found = new Map<string, Party>();
  const note = (id: string, role: Party['role']): void => {
    if (!found.has(id)) found.set(id, { id, role });
  };
  for (const message of messages) {
    const other = otherEnd(message, device);
    note(message.hostId, 'host');
    note(other, other === DEVICE ? 'device' : message.protocol === 'http' ? 'application' : 'other');
  }
  for (const [step] of tones) {
    note(DEVICE, 'device');
    if (step !== undefined) note(step.hostId, 'host');
  }
  return [...found.values()].toSorted((a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role));
}

/** Tones in rows: what one side said before the other one spoke. */
function toneRows(steps: readonly Step[]): readonly (readonly Step[])[] {
  const rows: Step[][] = [];
  let open: Step[] | undefined;
  for (const step of steps) {
    if (step.kind === 'toneHeard') {
      if (open === undefined) {
        open = [];
        rows.push(open);
      }
      open.push(step);
    } else if (step.kind === 'tonePlayed') {
      open = undefined;
      rows.push([step]);
    }
  }
  return rows;
}

export function toneLabel(row: readonly Step[]): string {
  const [step] = row;
  if (step?.kind !== 'tonePlayed') return toneRow(row).text;
  const tones = Array.isArray(step.detail.tones) ? (step.detail.tones as Record<string, unknown>[]) : [];
  return tones
    .flatMap(({ digit, hz, ms }) =>
      digit === undefined && hz === undefined ? [] : [`${digit ?? `${hz} Hz`} ${ms} ms`],
    )
    .join(', ');
}

/** `INVITE`, `200 OK`, `POST /newAlarmbridgeEvent`, or the first line of a frame. */
export function labelOf({ text = '', protocol }: Message): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const answer = /^(?:SIP\/2\.0|HTTP\/[\d.]+) (.*)$/.exec(line)?.[1];
  if (answer !== undefined) return answer.trim();
  if (protocol === 'http') return line.replace(/ HTTP\/[\d.]+$/, '');
  if (protocol === 'sip') return line.split(' ')[0] ?? line;
  return line.slice(0, 48);
}
