import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePorts } from '#test/support/site-port.ts';
import { CARILLON } from '../support/program/program.ts';
import { type Started, startProgram } from './started.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const READY_WITHIN_MS = 120_000;

/** `npm start -- --callback http://localhost:PORT` in a folder of its own, as a reader starts it. */
export interface RunningDemo {
  readonly folder: string;
  readonly ready: Readonly<Record<string, string>>;
  readonly password: string;
  /** `carillon …`, with its address of SIP where `to` is in the words. */
  readonly carillon: (...words: string[]) => Started;
  readonly example: (name: string, ...words: string[]) => Started;
  /** The same with these variables in the environment. */
  readonly under: (variables: Readonly<Record<string, string>>) => Pick<RunningDemo, 'carillon' | 'example'>;
  /** The lines of the demo itself. */
  readonly output: Started;
  readonly close: () => Promise<void>;
}

const start = (command: readonly string[], cwd: string, environment: Record<string, string>): Started =>
  startProgram([process.execPath, ...command], { cwd, env: { ...process.env, ...environment } });

/** Demos of several test processes live side by side: each has an offset of its own. */
async function portOffset(): Promise<number> {
  const [seed = 0] = await freePorts('127.0.0.1', 1);
  return 12_000 + (seed % 14_000) * 2;
}

/** A port that another program has taken is no fault of the demo: it is tried at other ones. */
export async function openDemo(tries = 3): Promise<RunningDemo> {
  return await openAt(await portOffset()).catch((cause: Error) => {
    if (tries > 1 && /in use|no browser speaks/.test(cause.message)) return openDemo(tries - 1);
    throw cause;
  });
}

async function openAt(offset: number): Promise<RunningDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-example-'));
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const words = ['demo', '--callback', `http://localhost:${port}`, '--port-offset', String(offset)];
  const recognisers = join(folder, 'recognisers.json');
  const assistant = join(ROOT, 'examples/voice-assistant/main.ts');
  execFileSync(process.execPath, [assistant, 'setting'], { cwd: folder });
  const demo = start([CARILLON, ...words, '--data', folder], folder, { CARILLON_RECOGNISERS: recognisers });
  const close = async (): Promise<void> => {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [, ready = '{}'] = await demo.says(/^ready (\{.*\})$/m, READY_WITHIN_MS);
    await demo.says(/Ctrl-C ends everything/);
    const facts = JSON.parse(ready) as Record<string, string>;
    const file = join(folder, 'demo', 'ready.json');
    const { telephonePassword: password } = JSON.parse(readFileSync(file, 'utf8'));
    const under: RunningDemo['under'] = (variables) => ({
      carillon: (...given) =>
        start([CARILLON, ...given], folder, { ...variables, XDG_CONFIG_HOME: folder, CARILLON_DATA: folder }),
      example: (name, ...given) =>
        start([join(ROOT, 'examples/run.ts'), name, ...given], folder, { ...variables, DEMO_READY: file }),
    });
    return { folder, ready: facts, password, output: demo, ...under({}), under, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}
