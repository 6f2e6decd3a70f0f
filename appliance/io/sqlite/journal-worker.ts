import { parentPort, workerData } from 'node:worker_threads';
import type { WriterReply, WriterRequest, WriterSetting } from './journal-message.ts';
import { cleanStep } from './journal-retention.ts';
import { JournalWriter } from './journal-writer.ts';

/** Entry of the writer thread: one request, one reply; the checkpoint comes after the reply, between batches. */
const port = parentPort;
if (port === null) throw new Error('journal-worker.ts runs as a worker thread only');
const reply = (message: WriterReply): void => port.postMessage(message);

const writer = new JournalWriter(workerData as WriterSetting);
let quietTimer: NodeJS.Timeout | undefined;

/** A batch that comes within 2 ms postpones the checkpoint of a quiet moment. */
function checkpointWhenQuiet(): void {
  writer.checkpoint(false);
  clearTimeout(quietTimer);
  quietTimer = setTimeout(() => writer.checkpoint(true), 2);
}

port.on('message', (request: WriterRequest) => {
  switch (request.kind) {
    case 'commit': {
      const begunMs = performance.now();
      const failed = writer.commit(request.units);
      reply({ kind: 'committed', failed, ms: performance.now() - begunMs });
      checkpointWhenQuiet();
      return;
    }
    case 'clean':
      try {
        reply({ kind: 'cleaned', step: cleanStep(writer.db, request.position, request.nowMs) });
      } catch (thrown) {
        reply({ kind: 'refused', reason: String(thrown) });
      }
      checkpointWhenQuiet();
      return;
    case 'close':
      clearTimeout(quietTimer);
      writer.close();
      reply({ kind: 'closed' });
      port.close();
      return;
  }
});

reply({ kind: 'ready', counters: writer.counters() });
