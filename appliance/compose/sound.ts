import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnListener } from '#shared/matching/index.ts';
import { objectKey } from '#shared/object-storage/index.ts';
import { fail } from '#shared/result.ts';
import type { SoundAdapters } from '../call/sound/index.ts';
import { type ApplianceConfig, listensOf } from '../config.ts';
import type { EnginePorts } from '../engine/engine-port.ts';
import { createAdmission } from '../engine/operations.ts';
import { removeAgedDamage } from '../io/config/index.ts';
import { bearerCrypto, type RecordingPage } from '../io/door/index.ts';
import { openPromptFileSource, type PromptFileSource, uploadRecording } from '../io/edge/index.ts';
import { openLocalStorage, openObjectStorage } from '../io/object-storage/index.ts';
import { createPrompts, PromptFetch, PromptStore } from '../io/prompt/index.ts';
import { createRecorder, openRecordingStore } from '../io/recorder/index.ts';
import { openStreamer } from '../io/stream/index.ts';
import type { Log } from '../io/system/index.ts';
import type { StreamEvent } from '../media/control/index.ts';
import type { RecorderEvent } from '../media/recording/index.ts';
import type { TenantModel } from '../replica/index.ts';
import type { PromptBytes } from '../site/host/site-port.ts';
import type { HostIdentity } from '../site/index.ts';
import { bearerName, noteRecordingRead } from '../site/privacy/index.ts';
import type { DamageReports } from '../site/supervision/index.ts';

/** Chosen: recordings leave this much of the disk to the journal of alarms. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

const DAMAGED =
  'a file of the recordings of this host was damaged; the others are whole, and the damaged one was set aside. Make a support bundle and check the disk.';

/** The first letter of the request that begins a call; no other method begins with it but INFO, which belongs to one. */
const INVITE = 0x49;

export interface OpenSound extends SoundAdapters {
  readonly promptBytes: PromptBytes;
  /** A SIP message came. The first call starts the voices, some 20 MB, while it is being set up. */
  heard(message: Uint8Array): void;
  close(): Promise<void>;
}

/**
 * The threads behind sound, each begun when it is first needed. The start waits for none of them: an appliance whose recorder
 * or voices do not start still takes alarms, and says in its log what is missing.
 */
export function openSound(
  config: ApplianceConfig,
  dependencies: {
    readonly trustPem: string | undefined;
    readonly log: Log;
    readonly tenant: () => TenantModel;
    readonly identity: () => HostIdentity | undefined;
    /** A file of recordings was found damaged. */
    readonly damaged: DamageReports['found'];
    /** Revision of the tenant's configuration in force here. */
    readonly revision: () => number;
    /** Files by name at the control plane; default: over the edge listener, with the identity of this host. */
    readonly promptFiles?: () => PromptFileSource | undefined;
  },
): OpenSound {
  const { log, trustPem } = dependencies;
  const listeners = ownListeners(config);
  const outgoing = {
    allowPrivate: config.allowPrivate,
    extraCas: trustPem === undefined ? [] : [trustPem],
  };
  const folder = join(config.data, 'recording');
  const objects = join(config.data, 'object');
  // Files that were on their way to object storage when an earlier run ended: the application got no callback about them.
  rmSync(join(objects, '.coming'), { recursive: true, force: true });
  const early: RecorderEvent[] = [];
  let toRecorder = (event: RecorderEvent): void => void early.push(event);
  let toStream = (_event: StreamEvent): void => undefined;
  const prompts = createPrompts({ ...outgoing, listeners });
  const recorder = createRecorder({
    folder,
    leastFreeBytes: LEAST_FREE_BYTES,
    onEvent: (event) => toRecorder(event),
  });
  const streamer = openStreamer({
    ...outgoing,
    listeners: () => listeners,
    onEvent: (event) => toStream(event),
  });
  /** The file stays in its place until a person is notified. */
  const damaged = (path: string, fault: string): void => {
    const file = `${path}.damaged-${Date.now()}`;
    const told = async (): Promise<void> => renameSync(path, file);
    dependencies.damaged({ store: 'recording', file, message: DAMAGED, facts: { fault }, told });
  };
  const shelf = openRecordingStore(folder, damaged);
  const promptShelf = new PromptStore(join(config.data, 'prompt'), prompts);
  const promptFiles =
    dependencies.promptFiles ??
    (() => {
      const identity = dependencies.identity();
      return identity && openPromptFileSource(identity);
    });
  const fetching = new PromptFetch(promptShelf, promptFiles);
  // A disk that refuses is no reason to refuse a configuration.
  const prune = (named: Parameters<PromptStore['prune']>[0]): void => {
    try {
      promptShelf.prune(named, Date.now());
    } catch (cause) {
      log('warn', 'prompt.cleanup_failed', 'Could not remove unused prompt files', { cause: String(cause) });
    }
  };
  const bucketOf = (bucket: string): string => join(objects, bucket);
  const storing = objectAdapters(config, trustPem, bucketOf, () => dependencies.tenant().domain);
  let silent = true;
  return {
    prompts,
    recorder,
    streamer,
    shelf,
    damaged: (fileName, reason) => damaged(join(folder, `${fileName}.part`), reason),
    keptDays: config.retention.recordings,
    bucketOf,
    ...storing,
    fetchFile: (fileName, signal) => fetching.fetch(fileName, signal),
    pathOf(fileName, revision = 0) {
      if (revision > dependencies.revision()) return undefined;
      const file = dependencies.tenant().promptFile(fileName);
      return file === undefined ? shelf.pathOf(fileName) : promptShelf.pathOf(file);
    },
    tidy: () => {
      prune(dependencies.tenant().promptFiles);
      tidyDamage([config.data, folder, join(folder, '.known')], log);
    },
    promptBytes: {
      async bring(files, feed) {
        const brought = await promptShelf.bring(files, feed.save);
        if (brought.ok) prune(files);
        return brought;
      },
    },
    heard(message) {
      if (!silent || message[0] !== INVITE) return;
      silent = false;
      prompts
        .voices()
        .catch((cause: unknown) =>
          log('error', 'prompt.make_failed', 'Could not make prompts', { cause: String(cause) }),
        );
    },
    listen(to) {
      toRecorder = to.recorder;
      toStream = to.stream;
      for (const event of early.splice(0)) to.recorder(event);
    },
    async upload(file) {
      const identity = dependencies.identity();
      return identity === undefined
        ? fail('unreachable', 'this machine is not enrolled')
        : await uploadRecording(identity, file);
    },
    async close() {
      await Promise.all([prompts.close(), recorder.close(), streamer.close()]);
    },
  };
}

/** Damaged files that were set aside go after 30 days, or above a quota. */
function tidyDamage(folders: readonly string[], log: Log): void {
  for (const folder of folders.filter((each) => existsSync(each)))
    try {
      const files = removeAgedDamage(folder, Date.now());
      if (files.length > 0)
        log('info', 'damaged_store.removed', 'Removed damaged files that were set aside long ago', {
          folder,
          files,
        });
    } catch (cause) {
      log('warn', 'damaged_store.remove_failed', 'Could not remove old damaged files', {
        folder,
        cause: String(cause),
      });
    }
}

/** Where `storerecording` puts objects: storage that speaks S3 where one is set, else folders of this host. */
function objectAdapters(
  { s3, data }: Pick<ApplianceConfig, 's3' | 'data'>,
  trustPem: string | undefined,
  bucketOf: (bucket: string) => string,
  domain: () => string,
): Pick<SoundAdapters, 'putObject' | 'sealObject'> {
  if (s3 === undefined) return { sealObject: openLocalStorage(bucketOf, join(data, 'key', 'object')) };
  const put = openObjectStorage(s3, trustPem);
  return { putObject: (object) => put({ ...object, key: objectKey(s3, domain(), object.key) }) };
}

/** Never fetched from, never streamed to, whatever the lists of networks say. */
const ownListeners = (config: ApplianceConfig): readonly OwnListener[] =>
  listensOf(config).map(({ host, port }) => ({ address: host, port }));

/** Recordings for whoever may use runtime operations of the tenant. */
export const recordingPage = (sound: OpenSound, ports: EnginePorts): RecordingPage => ({
  refusalOf: async (token, domain) =>
    domain === ports.tenant().domain
      ? await createAdmission(ports, bearerCrypto())(token)
      : `This sign-in does not open the tenant ${domain}.`,
  pathOf: (fileName) => sound.shelf.pathOf(fileName),
  noteRead: (token, fileName) =>
    noteRecordingRead(ports, { actor: bearerName(token, ports.sha256Hex), fileName }),
});
