import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program of the test in a process of its own, so that its processor time is its own. */
export interface Child<Ready, Ask, Answer> {
  readonly pid: number;
  readonly ready: Ready;
  /** One question at a time; rejects with what the other side threw. */
  readonly ask: (question: Ask) => Promise<Answer>;
  /** Lets it close; ends it by its id when it does not. */
  readonly stop: () => Promise<void>;
}

export interface ChildOptions {
  /** Processor core it is bound to, with all its threads; absent = any. */
  readonly core?: number;
  /** Flags for Node, as `--cpu-prof`. */
  readonly nodeFlags?: readonly string[];
  /** More for its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Longest time until it is ready; absent = 20 s. */
  readonly startMs?: number;
}

/** Messages from one side to the other. */
export type ChildMessage<Ready, Answer> =
  | { readonly kind: 'ready'; readonly ready: Ready }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly reason: string };

const START_MS = 20_000;
const STOP_MS = 10_000;

/** Starts `file` (a module that calls `serveParent`) with `setting`; rejects when it ends or stays silent. */
export async function startChild<Setting, Ready, Ask, Answer>(
  file: URL,
  setting: Setting,
  options: ChildOptions = {},
): Promise<Child<Ready, Ask, Answer>> {
  const bound = options.core === undefined ? [] : ['taskset', '-c', String(options.core)];
  const [program = process.execPath, ...args] = [
    ...bound,
    process.execPath,
    ...(options.nodeFlags ?? []),
    file.pathname,
  ];
  const child = spawn(program, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...options.environment },
    serialization: 'advanced',
  });
  child.send({ kind: 'setting', setting });
  const first = await nextMessage<Ready, Answer>(child, file, options.startMs ?? START_MS);
  if (first.kind !== 'ready') {
    child.kill('SIGKILL');
    throw new Error(first.kind === 'failed' ? first.reason : `${file.pathname} answered before it was ready`);
  }
  return {
    pid: child.pid ?? 0,
    ready: first.ready,
    async ask(question) {
      child.send({ kind: 'ask', question });
      const answer = await nextMessage<Ready, Answer>(child, file, undefined);
      if (answer.kind === 'answer') return answer.answer;
      throw new Error(answer.kind === 'failed' ? answer.reason : `${file.pathname} is ready twice`);
    },
    stop: () => stopped(child),
  };
}

async function nextMessage<Ready, Answer>(
  child: ChildProcess,
  file: URL,
  withinMs: number | undefined,
): Promise<ChildMessage<Ready, Answer>> {
  return await new Promise((resolve, reject) => {
    const late = setTimeout(
      () => settle(() => reject(new Error(`${file.pathname} says nothing`))),
      withinMs ?? 600_000,
    );
    const settle = (how: () => void) => {
      clearTimeout(late);
      child.off('message', onMessage);
      child.off('exit', onExit);
      how();
    };
    const onMessage = (message: unknown) => settle(() => resolve(message as ChildMessage<Ready, Answer>));
    const onExit = (code: number | null) =>
      settle(() => reject(new Error(`${file.pathname} ended with ${code}`)));
    child.once('message', onMessage);
    child.once('exit', onExit);
  });
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  if (child.connected) child.send({ kind: 'stop' });
  await exited;
  clearTimeout(stubborn);
}
