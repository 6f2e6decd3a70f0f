import { type HostNote, REMOTE_ARGS, type ReleaseRequest } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { RemoteAnswer, RemoteOperation } from '../remote-operation.ts';

/** Most bytes of a file, and the time in which it must be here. */
export interface FetchLimit {
  readonly mostBytes: number;
  readonly withinMs: number;
}

/** Twice what a release has; over a line of 1 Mbit/s a `.run` takes six minutes. */
const RELEASE: FetchLimit = { mostBytes: 256 * 1_048_576, withinMs: 60 * 60_000 };
const SIGNATURE: FetchLimit = { mostBytes: 4_096, withinMs: 15_000 };
/** `Chosen:` alarms need the disk more than a release does. */
const SPARE_MB = 600;
/** Exit code of a failure that may not happen another time. */
const TRY_AGAIN = 75;

/** The folder in which root finds a release. */
export interface ReleaseFolder {
  /** A release waits to be taken up. */
  readonly isWanted: () => boolean;
  /** Empties it for the next release; MB that are free there. */
  readonly begin: () => Promise<number>;
  readonly fetch: (url: string, file: string, limit: FetchLimit) => Promise<Result<unknown, Failure<string>>>;
  /** From here on root is asked. */
  readonly want: (request: ReleaseRequest) => Promise<void>;
  readonly drop: () => Promise<void>;
}

export interface ReleaseFetchPorts {
  /** Undefined: no service with root looks after this program. */
  readonly folder: ReleaseFolder | undefined;
  /** Reports the outcome to the cloud, when the release does not come as far as root. */
  readonly tell: (note: HostNote) => Promise<unknown>;
  /** The release that runs. */
  readonly running: string;
  readonly wallMs: () => number;
  readonly log: Log;
  readonly run: (work: Promise<unknown>) => void;
}

/**
 * `sw.upgrade`: fetches a release and its signature, and lays both before root, which believes nothing but the signature
 * (`carillon maintenance`). The answer comes with the signature; the file takes its time.
 *
 *     asked ── signature here ── answer ── file here ── wanted.json ── carillon-maintenance.path ── carillon upgrade ── note
 */
export class ReleaseFetch {
  readonly #ports: ReleaseFetchPorts;
  #fetching = false;

  constructor(ports: ReleaseFetchPorts) {
    this.#ports = ports;
  }

  readonly upgrade: RemoteOperation = async ({ args, by }) => {
    const parsed = REMOTE_ARGS['sw.upgrade'].safeParse(args);
    const file = parsed.success ? nameIn(parsed.data.url) : undefined;
    if (!parsed.success || file === undefined)
      return refusal('invalid', '/args/url is no https address of a file');
    const { folder, wallMs } = this.#ports;
    if (folder === undefined)
      return refusal(
        'noMaintenance',
        'this program is not run by its unit; whoever started it can replace it',
      );
    if (this.#fetching || folder.isWanted())
      return refusal('conflict', 'a release is being fetched or waits for its moment already');
    this.#fetching = true;
    const request: ReleaseRequest = { v: 1, kind: 'upgrade', file, by, at: wallMs() };
    return await this.#begin(folder, parsed.data.url, request);
  };

  async #begin(folder: ReleaseFolder, url: string, request: ReleaseRequest): Promise<RemoteAnswer> {
    const { file } = request;
    const over = (): void => {
      this.#fetching = false;
    };
    const freeMb = await folder.begin();
    if (freeMb < SPARE_MB) {
      over();
      return refusal('disk', `only ${Math.floor(freeMb)} MB are free; ${SPARE_MB} must be`);
    }
    const signature = await folder.fetch(`${url}.minisig`, `${file}.minisig`, SIGNATURE);
    if (!signature.ok) {
      over();
      await folder.drop();
      return refusal(signature.error.code, `its signature did not come: ${signature.error.reason}`);
    }
    this.#ports.run(this.#fetch(folder, url, request).finally(over));
    return { ok: true, value: { file } };
  }

  async #fetch(folder: ReleaseFolder, url: string, request: ReleaseRequest): Promise<void> {
    const { log, running, tell } = this.#ports;
    const { file, by } = request;
    const whole = await folder.fetch(url, file, RELEASE);
    if (whole.ok) {
      log('info', 'release.fetched', 'Fetched a release', { file, by });
      return folder.want(request);
    }
    const { reason } = whole.error;
    const sentence = `It did not come: ${reason}. Ask again.`;
    log('warn', 'release.fetch_failed', 'Could not fetch a release', { file, by, reason });
    await folder.drop();
    await tell({ kind: 'upgrade', file, by, code: TRY_AGAIN, sentence, release: running });
  }
}

const refusal = (code: string, reason: string) => ({ ok: false, code, reason }) as const;

/** The last part of the path, if it can be the name of a file. */
function nameIn(url: string): string | undefined {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return /^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/.test(name) ? name : undefined;
}
