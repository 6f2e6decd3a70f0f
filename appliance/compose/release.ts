import { join } from 'node:path';
import { type HostNote, REMOTE_ARGS, type ReleaseRequest } from '#shared/contract/feed/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { sendNote } from '../io/edge/index.ts';
import { type CallbackClientSetting, type Download, downloader } from '../io/http/index.ts';
import {
  beginReleaseRequest,
  dropReleaseRequest,
  isReleaseWanted,
  type Log,
  requestFolder,
  wantRelease,
} from '../io/system/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';
import { clock, VERSION } from './adapters.ts';

/** Twice what a release has; over a line of 1 Mbit/s a `.run` takes six minutes. */
const RELEASE = { mostBytes: 256 * 1_048_576, withinMs: 60 * 60_000 };
const SIGNATURE = { mostBytes: 4_096, withinMs: 15_000 };
/** `Chosen:` alarms need the disk more than a release does. */
const SPARE_MB = 600;
/** Exit code of a failure that may not happen another time. */
const TRY_AGAIN = 75;

interface ReleaseParts {
  /** Undefined: no service with root looks after this program. */
  readonly folder: string | undefined;
  readonly download: Download;
  /** Reports the outcome to the cloud, when the release does not come as far as root. */
  readonly tell: (note: HostNote) => Promise<unknown>;
  readonly running: string;
  readonly wallMs: () => number;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
}

/** The operation as the daemon has it. */
export const openRelease = (
  { data }: ApplianceConfig,
  { reachable, log, run }: Pick<ReleaseParts, 'log' | 'run'> & { readonly reachable: CallbackClientSetting },
): RemoteOperation =>
  releaseOperation({
    folder: requestFolder(data),
    download: downloader(reachable),
    tell: (note) => sendNote(data, note),
    running: VERSION,
    wallMs: clock.wallMs,
    log,
    run,
  });

/**
 * `sw.upgrade`: fetches a release and its signature, and lays both before root, which believes nothing but the signature
 * (`carillon maintenance`). The answer comes with the signature; the file takes its time.
 *
 *     asked ── signature here ── answer ── file here ── wanted.json ── carillon-maintenance.path ── carillon upgrade ── note
 */
export function releaseOperation(parts: ReleaseParts): RemoteOperation {
  const { folder, download, log, run } = parts;
  let fetching = false;
  return async ({ args, by }) => {
    const wish = REMOTE_ARGS['sw.upgrade'].safeParse(args);
    const file = wish.success ? nameIn(wish.data.url) : undefined;
    if (!wish.success || file === undefined)
      return refusal('invalid', '/args/url is no https address of a file');
    if (folder === undefined)
      return refusal(
        'noMaintenance',
        'this program is not run by its unit; whoever started it can replace it',
      );
    if (fetching || isReleaseWanted(folder))
      return refusal('conflict', 'a release is being fetched or waits for its moment already');
    fetching = true;
    const over = (): void => {
      fetching = false;
    };
    const freeMb = await beginReleaseRequest(folder);
    if (freeMb < SPARE_MB) {
      over();
      return refusal('disk', `only ${Math.floor(freeMb)} MB are free; ${SPARE_MB} must be`);
    }
    const { url } = wish.data;
    const signature = await download(`${url}.minisig`, join(folder, `${file}.minisig`), SIGNATURE);
    if (!signature.ok) {
      over();
      await dropReleaseRequest(folder);
      return refusal(signature.error.code, `its signature did not come: ${signature.error.reason}`);
    }
    const request: ReleaseRequest = { v: 1, kind: 'upgrade', file, by, at: parts.wallMs() };
    run(fetchOf(folder, url, request).finally(over));
    return { ok: true, value: { file } };
  };

  async function fetchOf(place: string, url: string, request: ReleaseRequest): Promise<void> {
    const { file, by } = request;
    const whole = await download(url, join(place, file), RELEASE);
    if (whole.ok) {
      log('info', 'release.fetched', 'Fetched a release', { file, by });
      return wantRelease(place, request);
    }
    const sentence = `It did not come: ${whole.error.reason}. Ask again.`;
    log('warn', 'release.fetch_failed', 'Could not fetch a release', {
      file,
      by,
      reason: whole.error.reason,
    });
    await dropReleaseRequest(place);
    await parts.tell({ kind: 'upgrade', file, by, code: TRY_AGAIN, sentence, release: parts.running });
  }
}

const refusal = (code: string, reason: string) => ({ ok: false, code, reason }) as const;

/** The last part of the path, if it can be the name of a file. */
function nameIn(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/.test(name) ? name : undefined;
}
