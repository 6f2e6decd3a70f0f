import { parentPort, workerData } from 'node:worker_threads';
import type { WriterRequest, WriterSetting } from './journal-message.ts';
import { serveJournal } from './journal-service.ts';

/** Entry of the writer thread. */
const port = parentPort;
if (port === null) throw new Error('journal-worker.ts runs as a worker thread only');

const serve = serveJournal(workerData as WriterSetting, (message) => port.postMessage(message));
port.on('message', (request: WriterRequest) => {
  serve(request);
  if (request.kind === 'close') port.close();
});
