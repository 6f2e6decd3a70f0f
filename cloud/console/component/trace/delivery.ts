import { labelOf, type Message, msOf } from './ladder.ts';
import type { Step } from './lane.ts';

/** One attempt to tell an application, with its answer. */
export interface Delivery {
  readonly step: Step;
  readonly url: string;
  readonly attempt: number;
  /** Request as it was sent, with its secrets masked; absent: no host has it any more. */
  readonly request: HttpText | undefined;
  readonly status: number | undefined;
  readonly tookMs: number | undefined;
  readonly body: string | undefined;
  /** Why the application did not accept it. */
  readonly reason: string | undefined;
}

export interface HttpText {
  readonly line: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

/** The callbacks of a session in order of time, each with the next answer behind it. */
export function deliveriesOf(steps: readonly Step[], messages: readonly Message[]): readonly Delivery[] {
  const requests = messages.filter(({ protocol, direction }) => protocol === 'http' && direction === 'out');
  const used = new Set<Message>();
  return steps.flatMap((step, index) => {
    if (step.kind !== 'callbackSent') return [];
    const url = textOf(step.detail.url);
    const answer = steps
      .slice(index + 1)
      .find(({ kind, hostId }) => hostId === step.hostId && kind.startsWith('callback'));
    const detail = answer === undefined || answer.kind === 'callbackSent' ? {} : answer.detail;
    const request = requests.find((message) => !used.has(message) && isOf(message, step, url));
    if (request !== undefined) used.add(request);
    return [
      {
        ...{ step, url, attempt: numberOf(step.detail.attempt) ?? 1 },
        request: request?.text === undefined ? undefined : httpOf(request.text),
        status: numberOf(detail.status),
        tookMs: numberOf(detail.tookMs),
        body: typeof detail.body === 'string' ? detail.body : undefined,
        reason: typeof detail.reason === 'string' ? detail.reason : undefined,
      },
    ];
  });
}

/** A request leaves within the second after its step, or is noted once its connection stands. */
const NEAR_MS = 30_000;

const isOf = (message: Message, step: Step, url: string): boolean =>
  message.hostId === step.hostId &&
  Math.abs(msOf(message.at) - step.at) < NEAR_MS &&
  URL.canParse(url) &&
  labelOf(message).endsWith(new URL(url).pathname);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The parts of a message with headers: HTTP or SIP. */
function httpOf(text: string): HttpText {
  const end = /\r?\n\r?\n/.exec(text);
  const head = end === null ? text : text.slice(0, end.index);
  const [line = '', ...headers] = head.split(/\r?\n/);
  return {
    line,
    headers: headers.flatMap((each) => {
      const at = each.indexOf(':');
      return at < 0 ? [] : [[each.slice(0, at), each.slice(at + 1).trim()] as const];
    }),
    body: end === null ? '' : text.slice(end.index + end[0].length),
  };
}

/** Headers that curl makes itself, or that are of one connection. */
const OF_CURL: ReadonlySet<string> = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/** The request as a command of a shell. Secrets are masked in the capture, so that they stay masked here. */
export function curlOf({ url, request }: Pick<Delivery, 'url' | 'request'>): string {
  const headers = (request?.headers ?? [])
    .filter(([name]) => !OF_CURL.has(name.toLowerCase()))
    .map(([name, value]) => `-H ${quoted(`${name}: ${value.replace(/x{16,}/g, 'MASKED')}`)}`);
  const body = request?.body ?? '';
  const data = body === '' ? [] : [`--data-binary ${quoted(body.replace(/x{16,}/g, 'MASKED'))}`];
  const method = request?.line.split(' ')[0] ?? 'POST';
  return [`curl -X ${method} ${quoted(url)}`, ...headers, ...data].join(' \\\n  ');
}

/** The key under which an application knows a callback again, and by which the API sends it again. */
export const keyOf = ({ request }: Delivery): string | undefined =>
  request?.headers.find(([name]) => name.toLowerCase() === 'idempotency-key')?.[1];

/** One word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
