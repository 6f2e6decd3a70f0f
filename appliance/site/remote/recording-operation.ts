import { REMOTE_ARGS } from '#shared/contract/feed/index.ts';
import type { Log } from '#shared/log.ts';
import type { Failure, Result } from '#shared/result.ts';
import type { RemoteOperation } from '../remote-operation.ts';
import { invalid } from './answer.ts';

export interface RecordingOperationPorts {
  /** The recording of that name at this host, with its bytes; undefined: this host has none. */
  readonly own: (fileName: string) => { readonly path: string; readonly size: number } | undefined;
  /** The same at another host of the site that the control plane does not reach. `copy` brings it here, until it is released. */
  readonly near: (fileName: string) => Promise<
    | {
        readonly size: number;
        readonly copy: () => Promise<
          Result<{ readonly path: string; readonly release?: () => Promise<void> }, Failure>
        >;
      }
    | undefined
  >;
  /** The control plane has taken the recording. */
  readonly isUploaded: (fileName: string) => Promise<boolean>;
  /** Undefined: this machine is no host. */
  readonly send: () => ((url: string, path: string) => Promise<Result<null, Failure>>) | undefined;
  readonly run: (work: Promise<unknown>) => void;
  readonly log: Log;
}

/**
 * Recordings of this host, and of another one of the site that the control plane does not reach, sent when the control plane asks
 * for them. It writes each read into its audit log.
 *
 * Chosen: a recording that the control plane has taken is not sent again. A tenant that deletes or moves it there must not hear it
 * through the copy that the host keeps for its own site.
 */
export const recordingOperations = ({
  own,
  near,
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
    const unsent = ({ reason }: Failure): void =>
      log('debug', 'recording.send_failed', 'Could not send a recording to the cloud', { reason });
    const sendTo = async (address: string, path: string): Promise<void> => {
      const sent = await to(address, path);
      if (!sent.ok) unsent(sent.error);
    };
    const here = own(fileName);
    if (here !== undefined) {
      if (await isUploaded(fileName))
        return notFound(`the control plane has taken the recording ${fileName}`);
      if (url !== undefined) run(sendTo(url, here.path));
      return { ok: true, value: { size: here.size } };
    }
    const there = await near(fileName);
    if (there === undefined) return notFound(`the recording ${fileName} is not at this site`);
    const pass = async (address: string): Promise<void> => {
      const copied = await there.copy();
      if (!copied.ok) return unsent(copied.error);
      await sendTo(address, copied.value.path);
      await copied.value.release?.();
    };
    if (url !== undefined) run(pass(url));
    return { ok: true, value: { size: there.size } };
  },
});

const notFound = (reason: string) => ({ ok: false, code: 'notFound', reason }) as const;
