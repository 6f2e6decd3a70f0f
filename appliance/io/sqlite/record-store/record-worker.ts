import { parentPort, workerData } from 'node:worker_threads';
import { isDamage } from '../salvage/index.ts';
import type { RecordReply, RecordRequest, RecordWriterSetting } from './record-message.ts';
import { recordRows } from './record-rows.ts';
import { type OpenedRecords, openRecords, salvageRecords } from './record-salvage.ts';

/** Entry of the writer thread of records: one request, one reply. */
const port = parentPort;
if (port === null) throw new Error('record-worker.ts runs as a worker thread only');
const { file, quotaBytes } = workerData as RecordWriterSetting;
const reply = (message: RecordReply): void => port.postMessage(message);

let opened = openRecords(file, Date.now());
let rows = recordRows(opened.db, quotaBytes);
const ready = ({ damaged }: OpenedRecords): void => reply({ kind: 'ready', damaged });

async function answer(request: RecordRequest): Promise<RecordReply> {
  switch (request.kind) {
    case 'put':
      return { kind: 'done', ...rows.put(request.records) };
    case 'sent':
      return { kind: 'done', rows: rows.sent(request.upTo), dropped: 0 };
    case 'clean':
      return { kind: 'done', rows: rows.clean(request.age), dropped: 0 };
    case 'erase': {
      // Hardly ever asked for, and the packages behind it would cost the thread megabytes for ever.
      const { eraseStep } = await import('./record-erase.ts');
      return { kind: 'done', dropped: 0, ...eraseStep(opened.db, request) };
    }
    case 'named': {
      const { namedStep } = await import('./record-erase.ts');
      const step = namedStep(opened.db, request);
      return { kind: 'done', rows: step.found.length, dropped: 0, ...step };
    }
    case 'close':
      opened.db.close();
      return { kind: 'done', rows: 0, dropped: 0 };
  }
}

async function take(request: RecordRequest): Promise<void> {
  try {
    reply(await answer(request));
  } catch (thrown) {
    if (!isDamage(thrown)) {
      reply({ kind: 'failed', reason: String(thrown) });
      return;
    }
    opened.db.close();
    opened = salvageRecords(file, (thrown as Error).message, Date.now());
    rows = recordRows(opened.db, quotaBytes);
    ready(opened);
    reply(await answer(request));
  }
  if (request.kind === 'close') port?.close();
}

port.on('message', (request: RecordRequest) => {
  take(request).catch((thrown: unknown) => reply({ kind: 'failed', reason: String(thrown) }));
});

ready(opened);
