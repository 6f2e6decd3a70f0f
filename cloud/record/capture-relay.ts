import type { CaptureHost, SessionCapture } from '#shared/contract/session-record/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Call, HostWithStatus, Store } from '../store/index.ts';
import { auditedLook, type TracedRecord } from './audited-look.ts';
import { captureOf, reportOf } from './format/host-capture.ts';
import { joinedPcapng, sectionOf } from './format/pcapng.ts';
import { HostFetch, type HostFetchPort, hostsOfRecord } from './host-fetch.ts';

/** Chosen: one capture carries 16 MiB, as the capture of one host does. */
export const CAPTURE_LIMIT_BYTES = 16 * 1_048_576;
const UNPACKED_LIMIT_BYTES = 64 * 1_048_576;
/** Chosen: captures that are fetched at a time; each takes some times its size of memory. */
const MOST_AT_ONCE = 4;

export interface CapturePort extends HostFetchPort {
  readonly store: Store;
  /** Rejects for what is no gzip, or more than `mostBytes` unpacked. */
  readonly gunzip: (bytes: Uint8Array, mostBytes: number) => Promise<Uint8Array>;
}

/** A capture file for Wireshark, and its hosts. */
export interface CaptureFile {
  readonly bytes: Uint8Array;
  readonly hosts: readonly CaptureHost[];
  readonly overwritten: boolean;
  readonly cut: boolean;
}

type Format = 'json' | 'pcapng';

interface Part<T> {
  readonly host: CaptureHost;
  readonly silent?: true;
  readonly content?: T;
}

/**
 * Messages of sessions: they lie in the capture of the hosts of the site, are fetched when a person asks, and are kept nowhere else.
 *
 *     read ─▶ audit ─▶ each host of the site: capture.export {traceId, url, format} ─▶ PUT /edge/v1/capture/{ticket} ─▶ joined by time
 */
export class CaptureRelay {
  readonly #port: CapturePort;
  readonly #fetch: HostFetch;
  #running = 0;

  constructor(port: CapturePort) {
    this.#port = port;
    const document = { name: 'capture', op: 'capture.export', limitBytes: CAPTURE_LIMIT_BYTES } as const;
    this.#fetch = new HostFetch(port, document);
  }

  /** As `HostFetch.put`. */
  put(id: string, uid: string, bytes: Uint8Array): Promise<Result<null>> {
    return this.#fetch.put(id, uid, bytes);
  }

  /** Fails as `auditedLook`; with `hostAway`, `hostSilent` or `hostRefused` when no host sent its part. */
  async json(call: Call, recordId: string): Promise<Result<SessionCapture>> {
    const read = (bytes: Uint8Array, hostId: string) => captureOf(Buffer.from(bytes).toString(), hostId);
    return await this.#read(call, recordId, 'json', read, (row, parts) => {
      const all = parts.flatMap(({ content }) => content?.messages ?? []).toSorted(byTime);
      const media = parts.flatMap(({ content }) => content?.media ?? []).toSorted(byTime);
      const messages = withinLimit(all);
      const hosts = parts.map(({ host }) => host);
      const marks = marksOf(hosts, messages.length < all.length);
      const place = { traceId: row.traceId, recordId, fetchedAt: this.#port.nowMs() };
      return { ...place, ...marks, hosts, messages, media: withinLimit(media) };
    });
  }

  /** As `json`, as a file of packets. */
  async pcapng(call: Call, recordId: string): Promise<Result<CaptureFile>> {
    const read = (bytes: Uint8Array) => (sectionOf(bytes) === undefined ? undefined : bytes);
    return await this.#read(call, recordId, 'pcapng', read, (_, parts) => {
      const hosts = parts.map(({ host }) => host);
      const files = parts.flatMap(({ host: { hostId }, content }) =>
        content === undefined ? [] : [{ hostId, bytes: content }],
      );
      const { bytes, leftOut } = joinedPcapng(files, CAPTURE_LIMIT_BYTES, (count) => commentOf(hosts, count));
      const { overwritten, cut } = marksOf(hosts, leftOut > 0);
      return { bytes, hosts, overwritten, cut };
    });
  }

  async #read<T, R>(
    call: Call,
    recordId: string,
    format: Format,
    read: (bytes: Uint8Array, hostId: string) => T | undefined,
    joined: (row: TracedRecord, parts: readonly Part<T>[]) => R,
  ): Promise<Result<R>> {
    if (this.#running >= MOST_AT_ONCE)
      return fail(
        'tooManyRequests',
        `The capture is not shown: ${MOST_AT_ONCE} others are being fetched. Repeat the request in some seconds.`,
      );
    this.#running++;
    try {
      const { store } = this.#port;
      const look = await auditedLook(store, call, recordId, 'capture', { format });
      if (!look.ok) return look;
      const hosts = await hostsOfRecord(store, look.value);
      const request = { traceId: look.value.traceId, format };
      const parts = await Promise.all(hosts.map((host) => this.#part(host, request, call.actor.name, read)));
      return unanswered(parts) ?? ok(joined(look.value, parts));
    } finally {
      this.#running--;
    }
  }

  async #part<T>(
    host: HostWithStatus,
    request: { readonly traceId: string; readonly format: Format },
    by: string,
    read: (bytes: Uint8Array, hostId: string) => T | undefined,
  ): Promise<Part<T>> {
    const part = await this.#fetch.fetch(host, request, by);
    const { bytes, data, silent } = part;
    if (bytes === undefined) return { host: part.host, ...(silent && { silent }) };
    const { hostId } = part.host;
    const report = reportOf(data);
    const plain = await this.#port.gunzip(bytes, UNPACKED_LIMIT_BYTES).catch(() => undefined);
    const content = plain && read(plain, hostId);
    if (report === undefined || content === undefined) {
      const reason = 'the host sent something that is no capture';
      return { host: { hostId, state: 'failed', reason } };
    }
    return { content, host: { hostId, state: report.messages === 0 ? 'empty' : 'sent', ...report } };
  }
}

const byTime = (a: { readonly at: string }, b: { readonly at: string }): number =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : 0;

/** The first ones that are together no longer than one capture. */
function withinLimit<T>(all: readonly T[]): T[] {
  let size = 0;
  const end = all.findIndex((each) => {
    size += JSON.stringify(each).length;
    return size > CAPTURE_LIMIT_BYTES;
  });
  return end === -1 ? [...all] : all.slice(0, end);
}

function marksOf(hosts: readonly CaptureHost[], isCut: boolean) {
  const overwritten = hosts.some((host) => host.overwritten === true);
  const cut = isCut || hosts.some((host) => host.cut === true);
  const all = hosts.length > 0 && hosts.every(({ state }) => state === 'sent' || state === 'empty');
  return { complete: all && !overwritten && !cut, overwritten, cut };
}

/** The failure where no host sent a message and one of them may have some. */
function unanswered(parts: readonly Part<unknown>[]) {
  if (parts.some(({ host }) => host.state === 'sent')) return undefined;
  const missing = parts.filter(({ host }) => host.state === 'away' || host.state === 'failed');
  const [first] = missing;
  if (first === undefined) return undefined;
  const code =
    first.host.state === 'away' ? 'hostAway' : first.silent === true ? 'hostSilent' : 'hostRefused';
  const said = missing.map(({ host }) => sentenceOf(host)).join('; ');
  return fail(code, `The capture is not shown: ${said}. Repeat the request when the host is connected.`);
}

function sentenceOf({
  hostId,
  state,
  since,
  reason,
  overwritten,
  oldestAt,
  messages,
  cut,
}: CaptureHost): string {
  if (state === 'away')
    return since === undefined
      ? `the host ${hostId} is away and was never seen`
      : `the host ${hostId} is away since ${new Date(since).toISOString()}`;
  if (state === 'failed') return `the host ${hostId} sent no capture: ${reason}`;
  const lost = overwritten === true ? `, was overwritten and begins at ${oldestAt ?? 'no message'}` : '';
  return `the capture of the host ${hostId} has ${messages} messages${lost}${cut === true ? ', was cut' : ''}`;
}

const commentOf = (hosts: readonly CaptureHost[], leftOut: number): string =>
  [
    ...hosts.map(sentenceOf),
    ...(leftOut > 0 ? [`the last ${leftOut} packets were left out: one capture carries 16 MiB`] : []),
  ].join('; ');
