import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  type HistoryTrialArgs,
  type HistoryTrialData,
  MOST_TRIED_ALARMS,
} from '#shared/contract/history/index.ts';

import { fail, ok, type Result } from '#shared/result.ts';
import type { HostFacts } from '../../alarm/history/index.ts';
import type { HistoryLimit, HistoryOrder } from './history-message.ts';

/** Chosen: 20,000 alarms are tried within a few seconds on a small machine; one that is busy answers with what it has by then. */
const LIMIT: HistoryLimit = { alarms: MOST_TRIED_ALARMS, ms: 30_000 };
/** A thread that does not keep its own limit is ended after this. */
const LONGEST_MS = 40_000;
const MEGABYTES = 128;

export interface History {
  /** Tries a draft on the stored alarms. Fails with `busy` while another one is tried, with `unreadable` where a file cannot be read. */
  readonly tryDraft: (args: HistoryTrialArgs, host: HostFacts) => Promise<Result<HistoryTrialData>>;
  readonly close: () => Promise<void>;
}

/** Trials of drafts on the journal of this folder, one at a time, in a thread that lives as long as its trial. */
export function openHistory(folder: string, limit: HistoryLimit = LIMIT): History {
  let running: Worker | undefined;
  return {
    async tryDraft(args, host) {
      if (running !== undefined)
        return fail('busy', 'another draft is being tried on this host; wait until it is done');
      const order: HistoryOrder = {
        journal: join(folder, 'journal.db'),
        configuration: join(folder, 'config.db'),
        ...{ args, host, limit },
      };
      const worker = new Worker(new URL('./history-worker.ts', import.meta.url), {
        workerData: order,
        name: 'history',
        resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      });
      running = worker;
      const late = setTimeout(() => void worker.terminate(), LONGEST_MS).unref();
      try {
        return await answerOf(worker);
      } finally {
        clearTimeout(late);
        await worker.terminate();
        running = undefined;
      }
    },
    close: async () => void (await running?.terminate()),
  };
}

const answerOf = (worker: Worker): Promise<Result<HistoryTrialData>> =>
  new Promise((resolve) => {
    worker.on('message', (data: HistoryTrialData) => resolve(ok(data)));
    worker.on('error', (cause) =>
      resolve(fail('unreadable', `the stored alarms could not be read: ${cause.message}`)),
    );
    worker.on('exit', () =>
      resolve(
        fail('unreadable', 'the trial was ended before its answer: the host stops, or it took too long'),
      ),
    );
  });
