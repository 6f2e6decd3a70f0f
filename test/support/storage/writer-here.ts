import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import type { WriterRequest, WriterSetting } from '#appliance/io/sqlite/journal-message.ts';
import { serveJournal } from '#appliance/io/sqlite/journal-service.ts';
import type { ServingThread } from '#appliance/io/sqlite/request-thread.ts';

/**
 * The writer of a journal in the thread that asks it: the same code, and the same copies of messages, through a port. A thread of its
 * own takes 0.13 s of processor time to begin and to end, which is more than most journeys take for all the rest.
 */
export function writerHere(data: WriterSetting): ServingThread {
  const { port1: asker, port2: writer } = new MessageChannel();
  const thread = new EventEmitter();
  const failed = (thrown: unknown): void => {
    thread.emit('error', thrown);
    asker.close();
  };
  asker.on('message', (message: unknown) => thread.emit('message', message));
  asker.once('close', () => thread.emit('exit', 0));
  // As a thread, it is heard of later.
  queueMicrotask(() => {
    try {
      const serve = serveJournal(data, (message) => writer.postMessage(message));
      writer.on('message', (request: WriterRequest) => {
        try {
          serve(request);
        } catch (thrown) {
          failed(thrown);
          serve({ kind: 'close' });
        }
        if (request.kind === 'close') writer.close();
      });
    } catch (thrown) {
      failed(thrown);
    }
  });
  return Object.assign(thread, {
    postMessage: (message: unknown) => asker.postMessage(message),
    terminate: () => Promise.reject(new Error('only a thread of its own can be terminated')),
  });
}
