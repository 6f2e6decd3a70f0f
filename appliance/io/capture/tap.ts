import { BoundedMap } from '#shared/bounded-map.ts';
import { type CapturedFlow, type Direction, sentFrameKey, type TakenMessage } from '../../capture/index.ts';

/** Hears of each SIP message at the sockets; both return at once. */
export interface SipTap {
  /** Before it is parsed. */
  received(flow: CapturedFlow, bytes: Uint8Array): void;
  /** After it was written. */
  sent(flow: CapturedFlow, bytes: Uint8Array): void;
}

/** The ends of a connection or a datagram of a security panel. */
export interface FrameFlow extends Omit<CapturedFlow, 'transport'> {
  readonly transport: 'tcp' | 'udp';
}

/** Hears of the bytes of panels: a frame over UDP, what came or went at once over TCP. */
export interface FrameTap {
  received(flow: FrameFlow, bytes: Uint8Array): void;
  sent(flow: FrameFlow, bytes: Uint8Array): void;
}

/** Receiver that this host sends frames to, as the tenant names it. */
interface FrameReceiver {
  readonly host: string;
  readonly port: number;
}

/** Hears of the frames that this host sends, and of their answers. */
export interface SentFrameTap {
  sent(to: FrameReceiver, flow: FrameFlow, bytes: Uint8Array): void;
  received(from: FrameReceiver, flow: FrameFlow, bytes: Uint8Array): void;
}

type Take = (message: TakenMessage) => void;

export function sipTap(take: Take, nowMs: () => number): SipTap {
  const on =
    (direction: Direction) =>
    (flow: CapturedFlow, bytes: Uint8Array): void =>
      take({ atMs: nowMs(), direction, protocol: 'sip', flow, bytes });
  return { received: on('in'), sent: on('out') };
}

export function frameTap(take: Take, nowMs: () => number): FrameTap {
  const on =
    (direction: Direction) =>
    ({ transport, ...ends }: FrameFlow, bytes: Uint8Array): void =>
      take({
        atMs: nowMs(),
        direction,
        protocol: 'dc09',
        flow: { ...ends, transport: transport === 'udp' ? 'UDP' : 'TCP' },
        bytes,
      });
  return { received: on('in'), sent: on('out') };
}

/** One frame is under way to a receiver at a time (DC-09 5.5.1.6): bytes without a number answer the last one. */
export function sentFrameTap(take: Take, nowMs: () => number): SentFrameTap {
  const last = new BoundedMap<string, string>(MOST_RECEIVERS);
  const on =
    (direction: Direction) =>
    (receiver: FrameReceiver, { transport, ...ends }: FrameFlow, bytes: Uint8Array): void => {
      const name = receiver.host.includes(':')
        ? `[${receiver.host}]:${receiver.port}`
        : `${receiver.host}:${receiver.port}`;
      const key = sentFrameKey(name, bytes) ?? last.get(name);
      if (key === undefined) return;
      last.set(name, key);
      const flow = { ...ends, transport: transport === 'udp' ? ('UDP' as const) : ('TCP' as const) };
      take({ atMs: nowMs(), direction, protocol: 'dc09', flow, key, bytes });
    };
  return { received: on('in'), sent: on('out') };
}

/** A callback as its client takes it. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostAnswer {
  readonly ok: boolean;
  readonly value?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

const MOST_RECEIVERS = 1_000;
const TRACE_FIELD = 'x-trace-id';

/**
 * Takes each exchange of callbacks. The client keeps no bytes of the wire, so the text is made of what it was given and what it gave
 * back: method, path, fields and body as they went, in the form of HTTP/1.1.
 */
export function capturedPost<Asked extends Post, Answer extends PostAnswer>(
  post: (request: Asked) => Promise<Answer>,
  take: Take,
  nowMs: () => number,
): (request: Asked) => Promise<Answer> {
  // Applications are called at a few addresses, many times each.
  const targets = new BoundedMap<string, Target>(MOST_RECEIVERS);
  return async (request) => {
    const sentMs = nowMs();
    const answer = await post(request);
    const target = readTarget(request.url, targets);
    if (target === undefined) return answer;
    const key = request.headers[TRACE_FIELD] ?? '';
    const { path, host, flow } = target;
    const asked = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${fieldsOf(request.headers)}`;
    const message = { protocol: 'http', flow, key } as const;
    take({ ...message, atMs: sentMs, direction: 'out', bytes: withBody(asked, request.body) });
    if (answer.ok && answer.value !== undefined) {
      const { status, headers, body } = answer.value;
      const said = `HTTP/1.1 ${status}\r\n${fieldsOf(headers)}`;
      take({ ...message, atMs: nowMs(), direction: 'in', bytes: withBody(said, body) });
    }
    return answer;
  };
}

/** The length is that of the body as it is stored: the answer may have been compressed or sent in chunks. */
function withBody(head: string, body: string): Uint8Array {
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

const OF_THE_WIRE: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'content-encoding']);

const fieldsOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .filter(([name]) => !OF_THE_WIRE.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Where a callback goes, as its address says it. */
interface Target {
  readonly path: string;
  readonly host: string;
  readonly flow: CapturedFlow;
}

function readTarget(text: string, known: BoundedMap<string, Target>): Target | undefined {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (!URL.canParse(text)) return undefined;
  const target = targetOf(new URL(text));
  known.set(text, target);
  return target;
}

function targetOf(url: URL): Target {
  return {
    path: url.pathname + url.search,
    host: url.host,
    flow: {
      transport: 'HTTPS',
      // The client does not say by which address and port it went.
      localAddress: url.hostname.startsWith('[') ? '::' : '0.0.0.0',
      localPort: 0,
      remoteAddress: url.hostname.replace(/^\[|\]$/g, ''),
      remotePort: Number(url.port || 443),
    },
  };
}
