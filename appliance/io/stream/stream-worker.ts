import { parentPort, workerData } from 'node:worker_threads';
import { fail, ok } from '#shared/result.ts';
import type { StreamAnswer, StreamEvent, StreamId } from '../../media/control/index.ts';
import { ProgramStream } from './program-stream.ts';
import { PumpBeat } from './pump-beat.ts';
import { type RunningStream, Stream } from './stream.ts';
import type { StreamCommand, StreamReport, StreamThreadSetting } from './stream-message.ts';
import { targetOf } from './target.ts';

/** Entry of the streaming thread: every 10 ms it looks what the rings hold, while anything streams at all. */
const port = parentPort;
if (port === null) throw new Error('stream-worker.ts runs as a worker thread only');
const setting = workerData as StreamThreadSetting;
const report = (message: StreamReport): void => port.postMessage(message);

const running = new Map<StreamId, RunningStream>();
const beat = new PumpBeat();

function start(command: Extract<StreamCommand, { kind: 'start' }>): StreamAnswer {
  const { stream: id, inputs, chunkDuration = 20 } = command.setting;
  if (running.has(id)) return fail('Refused', `A stream ${id} is running already.`);
  if (inputs.length === 0) return fail('Refused', 'A stream has at least one channel.');
  if (chunkDuration % 20 !== 0 || chunkDuration < 20 || chunkDuration > 1_000) {
    return fail('Refused', `chunkDuration ${chunkDuration} is no multiple of 20 between 20 and 1000 ms.`);
  }
  const target = targetOf(command.setting, setting, command.listeners);
  if (!target.ok) return target;
  const emit = (event: StreamEvent): void => report({ kind: 'event', event });
  const over = (): void => end(id);
  const { format, tracks = [] } = command.setting;
  if (format !== undefined && tracks.length !== inputs.length)
    return fail('Refused', `A stream of ${inputs.length} channels has ${tracks.length} tracks.`);
  const stream =
    format === undefined
      ? new Stream(command.setting, target.value, emit, over)
      : new ProgramStream({ ...command.setting, format, tracks }, target.value, emit, over);
  running.set(id, stream);
  beat.add(stream);
  stream.connect();
  return ok(undefined);
}

function end(id: StreamId): void {
  const stream = running.get(id);
  running.delete(id);
  if (stream !== undefined) beat.remove(stream);
}

function answerTo(command: StreamCommand): StreamAnswer {
  if (command.kind === 'start') return start(command);
  if (command.kind === 'close') {
    for (const stream of running.values()) stream.stop();
    return ok(undefined);
  }
  const stream = running.get(command.stream);
  if (stream === undefined) return fail('Unknown', `No stream ${command.stream} is running.`);
  if (command.kind === 'stop') stream.stop(command.why);
  else if (stream instanceof ProgramStream) {
    if (command.kind === 'speakTo') stream.speakTo(command.outputs);
    else stream.digit(command.digit, command.track);
  }
  return ok(undefined);
}

port.on('message', ({ id, command }: { readonly id: number; readonly command: StreamCommand }) => {
  report({ kind: 'answer', id, answer: answerTo(command) });
  // Open sockets keep the thread until the target has answered the closing.
  if (command.kind === 'close') port.close();
});
report({ kind: 'ready' });
