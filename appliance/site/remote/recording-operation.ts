import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

export interface RecordingOperationPorts {
  /** Path of the recording of that name; undefined: this host has none. */
  readonly pathOf: (fileName: string) => string | undefined;
  /** Bytes of the file; undefined: there is no file. */
  readonly sizeOf: (path: string) => number | undefined;
  /** The control plane has taken the recording. */
  readonly isUploaded: (fileName: string) => Promise<boolean>;
  /** Undefined: this machine is no host. */
  readonly send: () => ((url: string, path: string) => Promise<Result<null, Failure>>) | undefined;
  readonly run: (work: Promise<unknown>) => void;
  readonly log: Log;
}

/**
 * Recordings of this host, sent when the control plane asks for them. It writes each read into its audit log.
 *
 * Chosen: a recording that the control plane has taken is not sent again. A tenant that deletes or moves it there must not hear it
 * through the copy that the host keeps for its own site.
 */
export const recordingOperations = ({
  pathOf,
  sizeOf,
  isUploaded,
  send,
  run,
  log,
}: RecordingOperationPorts): Readonly<Record<string, RemoteOperation>> => ({
  'recording.send': async ({ args }) => {
    const asked = REMOTE_ARGS['recording.send'].safeParse(args);
    const to = send();
    if (!asked.success || to === undefined) return invalid('/args is not fileName and url');
    const { fileName, url } = asked.data;
    const path = pathOf(fileName);
    const size = path === undefined ? undefined : sizeOf(path);
    if (path === undefined || size === undefined)
      return { ok: false, code: 'notFound', reason: `the recording ${fileName} is not here` };
    if (await isUploaded(fileName))
      return { ok: false, code: 'notFound', reason: `the control plane has taken the recording ${fileName}` };
    if (url !== undefined)
      run(
        to(url, path).then((sent) => {
          if (!sent.ok)
            log('debug', 'recording.send_failed', 'Could not send a recording to the cloud', {
              reason: sent.error.reason,
            });
        }),
      );
    return { ok: true, value: { size } };
  },
});
