/**
 * Preloaded by `--import` into a program and each of its threads. Every function of the product then writes down that it
 * was entered, so that a test can follow one alarm through the files. The folder for that is the environment variable
 * `WALK_FOLDER`; each thread writes a file of its own there: `<monotonic ns> <input> <file>` where the file changes,
 * followed by ` < <caller>` for each file on the stack where the call goes into an adapter. `<input>` is the number of
 * what came from outside, with `+` where it begins; 0: the call belongs to none.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { type Node, parseSync, visitorKeys } from 'oxc-parser';

const ROOT = resolve(import.meta.dirname, '../..');
const ROOT_URL = pathToFileURL(`${ROOT}/`).href;
const PRODUCT = /^(?:appliance|cloud|shared)\/.*\.ts$/;
/** Every effect leaves the process through one of these. */
const EFFECT =
  /^appliance\/io\/(?:sip-transport|sqlite|http|media-worker|mqtt|peer|frame-listener|frame-caller|edge)\/|^cloud\/io\//;
/** An input from outside is seen first here, and everything that it brings about is its own. */
const INPUT =
  /^appliance\/io\/(?:sip-transport|frame-listener|mqtt|media-worker|system\/deadline-timer)|^cloud\/io\/listener\//;
const FLUSH_EVERY_MS = 25;

const folder = process.env.WALK_FOLDER;
if (folder !== undefined) record(folder);

function record(into: string): void {
  mkdirSync(into, { recursive: true });
  const file = join(into, `${process.pid}-${threadId}`);
  writeFileSync(file, '');
  let lines = '';
  let last = '';
  let inputs = 0;
  const cause = new AsyncLocalStorage<number>();
  const flush = (): void => {
    if (lines !== '') appendFileSync(file, lines);
    lines = '';
  };
  setInterval(flush, FLUSH_EVERY_MS).unref();
  process.on('exit', flush);
  Error.stackTraceLimit = 100;
  Object.assign(globalThis, {
    carillonEntered: (path: string): void => {
      if (path === last) return;
      const from = last;
      last = path;
      const callers =
        INPUT.test(path) || (EFFECT.test(path) && !EFFECT.test(from)) ? callersOf(new Error()) : undefined;
      const isInput = callers?.length === 0 && INPUT.test(path);
      if (isInput) cause.enterWith(++inputs);
      const input = `${isInput ? '+' : ''}${cause.getStore() ?? 0}`;
      lines += `${process.hrtime.bigint()} ${input} ${[path, ...(callers ?? [])].join(' < ')}\n`;
    },
  });
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith(ROOT_URL) || loaded.source === undefined || loaded.source === null) return loaded;
      const path = relative(ROOT, fileURLToPath(url));
      if (!PRODUCT.test(path)) return loaded;
      const text =
        typeof loaded.source === 'string'
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString();
      return { ...loaded, source: recorded(path, text) };
    },
  });
}

/** Files of the product that are on the stack, the innermost first. */
function callersOf(at: Error): string[] {
  const files: string[] = [];
  for (const [, url = ''] of (at.stack ?? '').matchAll(/(file:\/\/[^\s)]+?):\d+:\d+/g)) {
    if (!url.startsWith(ROOT_URL)) continue;
    const path = url.slice(ROOT_URL.length);
    if (PRODUCT.test(path) && files.at(-1) !== path) files.push(path);
  }
  return files.slice(1);
}

/** The text with a call at the begin of each function's body; no line moves. */
function recorded(path: string, text: string): string {
  const call = `globalThis.carillonEntered(${JSON.stringify(path)})`;
  const inserted: { readonly at: number; readonly text: string }[] = [];
  const enter = (node: Node): void => {
    const body = bodyOf(node);
    if (body?.type === 'BlockStatement') {
      inserted.push({ at: body.start + 1, text: `${call};` });
    } else if (body !== undefined) {
      inserted.push({ at: body.start, text: `(${call},(` }, { at: body.end, text: '))' });
    }
    for (const key of visitorKeys[node.type] ?? []) {
      for (const child of [(node as unknown as Record<string, unknown>)[key]].flat())
        if (isNode(child)) enter(child);
    }
  };
  const parsed = parseSync(path, text);
  enter(parsed.program as unknown as Node);
  inserted.sort((a, b) => b.at - a.at);
  let out = text;
  for (const each of inserted) out = out.slice(0, each.at) + each.text + out.slice(each.at);
  return out;
}

function bodyOf(node: Node): Node | undefined {
  const { type, body } = node as unknown as { readonly type: string; readonly body?: unknown };
  const isFunction =
    type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
  return isFunction && isNode(body) ? body : undefined;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;
