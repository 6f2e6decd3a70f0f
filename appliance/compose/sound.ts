import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { objectKey } from '#shared/object-storage/index.ts';
import { fail } from '#shared/result.ts';
import { readRecognisers } from '#shared/setting/index.ts';
import { EarlyEvents, FirstCall, placeOfFile, type SoundAdapters } from '../call/sound/index.ts';
import type { ApplianceConfig } from '../config.ts';
import { removeAgedDamage } from '../io/config/index.ts';
import {
  openPromptFileSource,
  openRecordingSource,
  type RecordingSource,
  uploadRecording,
} from '../io/edge/index.ts';
import { openLocalStorage, openObjectStorage } from '../io/object-storage/index.ts';
import { PromptFetch } from '../io/prompt/index.ts';
import { createRecorder, openRecordingStore } from '../io/recorder/index.ts';
import { openSpeech } from '../io/speech/index.ts';
import { openStreamer } from '../io/stream/index.ts';
import type { Log } from '../io/system/index.ts';
import type { SpeechListener, StreamEvent } from '../media/control/index.ts';
import type { FindRecording, RecorderEvent } from '../media/recording/index.ts';
import type { SiteAgent } from '../site/host/uplink/site-agent.ts';
import { type DamageReports, recordingDamage } from '../site/supervision/index.ts';
import { random } from './adapters.ts';
import { type OpenPromptFiles, outgoingOf } from './prompt.ts';
import { BorrowedRecordings, type FindPeerRecording, findRecording } from './recording/index.ts';

/** Chosen: recordings leave this much of the disk to the journal of alarms. */
const LEAST_FREE_BYTES = 512 * 1024 * 1024;

export interface OpenSound extends SoundAdapters {
  /** A recording of the tenant, at this host, at another one of the site, or at the control plane. */
  readonly findRecording: FindRecording;
  /** A copy of a recording that lies elsewhere; it goes when it is released. */
  readonly copyOf: BorrowedRecordings['copy'];
  /** A SIP message came. */
  received(message: Uint8Array): void;
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
    readonly promptFiles: OpenPromptFiles;
    /** The host: its tenant, its identity and the revision of the tenant's configuration in force. */
    readonly site: Pick<SiteAgent, 'tenant' | 'identity' | 'tenantRevision'>;
    /** A file of recordings was found damaged. */
    readonly damaged: DamageReports['found'];
    /** Recordings of the other hosts of the site. */
    readonly peers?: FindPeerRecording;
    /** Recordings at the control plane; default: over the edge listener, with the identity of this host. */
    readonly cloudRecordings?: () => RecordingSource | undefined;
    /** The control plane reaches this host now. */
    readonly reachesCloud?: () => boolean;
  },
): OpenSound {
  const { log, trustPem, site, promptFiles } = dependencies;
  const { prompts, store } = promptFiles;
  const folder = join(config.data, 'recording');
  const objects = join(config.data, 'object');
  // Files that were on their way to object storage when an earlier run ended: the application got no callback about them.
  rmSync(join(objects, '.coming'), { recursive: true, force: true });
  const recorderEvents = new EarlyEvents<RecorderEvent>();
  let toStream = (_event: StreamEvent): void => undefined;
  const recorder = createRecorder({ folder, leastFreeBytes: LEAST_FREE_BYTES, onEvent: recorderEvents.emit });
  const outgoing = outgoingOf(config, trustPem);
  const streamer = openStreamer({
    ...outgoing,
    listeners: () => outgoing.listeners,
    onEvent: (event) => toStream(event),
  });
  const speech = speechOf(config, outgoing, log);
  const damaged = (path: string, fault: string): void =>
    dependencies.damaged(
      recordingDamage({ path, fault, atMs: Date.now() }, async (file) => renameSync(path, file)),
    );
  const recordingStore = openRecordingStore(folder, damaged);
  const fetching = new PromptFetch(store, () => site.identity && openPromptFileSource(site.identity));
  const beyond = {
    peers: dependencies.peers ?? (async () => undefined),
    cloud: dependencies.cloudRecordings ?? (() => site.identity && openRecordingSource(site.identity)),
    random,
  };
  const borrowed = new BorrowedRecordings(join(config.data, 'recording-copy'), beyond);
  const bucketOf = (bucket: string): string => join(objects, bucket);
  const storing = objectAdapters(config, trustPem, bucketOf, () => site.tenant.domain);
  const firstCall = new FirstCall();
  return {
    prompts,
    recorder,
    streamer,
    speech,
    recordingStore,
    damaged: (fileName, reason) => damaged(join(folder, `${fileName}.part`), reason),
    keptDays: config.retention.recordings,
    bucketOf,
    ...storing,
    fetchFile: (fileName, signal) => fetching.fetch(fileName, signal),
    borrow: borrowed.borrow,
    findRecording: findRecording({ recordingStore, ...beyond }),
    copyOf: (fileName, found, signal) => borrowed.copy(fileName, found, signal),
    pathOf: (fileName, revision) =>
      placeOfFile(
        { fileName, ...(revision !== undefined && { revision }) },
        {
          revision: site.tenantRevision,
          promptFile: (name) => site.tenant.promptFile(name),
          promptPath: (file) => store.pathOf(file),
          recordingPath: (name) => recordingStore.pathOf(name),
        },
      ),
    tidy: () => {
      promptFiles.prune(site.tenant.promptFiles);
      tidyDamage([config.data, folder, join(folder, '.known')], log);
    },
    received(message) {
      if (!firstCall.beginsWith(message)) return;
      prompts
        .voices()
        .catch((cause: unknown) =>
          log('error', 'prompt.make_failed', 'Could not make prompts', { cause: String(cause) }),
        );
    },
    listen(to) {
      toStream = to.stream;
      recorderEvents.deliverTo(to.recorder);
    },
    reachesCloud: dependencies.reachesCloud ?? (() => false),
    async upload(file) {
      const { identity } = site;
      return identity === undefined
        ? fail('unreachable', 'this machine is not enrolled')
        : await uploadRecording(identity, file);
    },
    async close() {
      await Promise.all([recorder.close(), streamer.close(), speech?.close()]);
    },
  };
}

/** A file of recognisers that cannot be read is no reason to take no alarms: calls go on without speech to text. */
function speechOf(
  { recognisersFile: file }: Pick<ApplianceConfig, 'recognisersFile'>,
  outgoing: ReturnType<typeof outgoingOf>,
  log: Log,
): SpeechListener | undefined {
  if (file === undefined) return undefined;
  let reason: string;
  try {
    const read = readRecognisers(readFileSync(file, 'utf8'));
    if (read.ok) return openSpeech({ ...outgoing, recognisers: read.value });
    reason = read.error.reason;
  } catch (cause) {
    reason = cause instanceof Error ? cause.message : String(cause);
  }
  log('error', 'speech.read_failed', 'Could not read the file of recognisers: no speech is recognised', {
    file,
    reason,
  });
  return undefined;
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
