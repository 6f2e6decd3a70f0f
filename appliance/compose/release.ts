import { join } from 'node:path';
import type { ApplianceConfig } from '../config.ts';
import { sendNote } from '../io/edge/index.ts';
import { type CallbackClientSetting, type Download, downloader } from '../io/http/index.ts';
import {
  beginReleaseRequest,
  dropReleaseRequest,
  isReleaseWanted,
  requestFolder,
  wantRelease,
} from '../io/system/index.ts';
import type { RemoteOperation } from '../site/host/site-port.ts';
import { ReleaseFetch, type ReleaseFetchPorts, type ReleaseFolder } from '../site/system/index.ts';
import { clock, VERSION } from './adapters.ts';

interface ReleaseParts extends Omit<ReleaseFetchPorts, 'folder'> {
  /** Undefined: no service with root looks after this program. */
  readonly folder: string | undefined;
  readonly download: Download;
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

/** `sw.upgrade` over the files of a folder. */
export const releaseOperation = ({ folder, download, ...ports }: ReleaseParts): RemoteOperation =>
  new ReleaseFetch({ ...ports, folder: folder === undefined ? undefined : folderOf(folder, download) })
    .upgrade;

const folderOf = (folder: string, download: Download): ReleaseFolder => ({
  isWanted: () => isReleaseWanted(folder),
  begin: () => beginReleaseRequest(folder),
  fetch: (url, file, limit) => download(url, join(folder, file), limit),
  want: (request) => wantRelease(folder, request),
  drop: () => dropReleaseRequest(folder),
});
