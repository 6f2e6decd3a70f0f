import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loopbackOf } from '#shared/host-port.ts';
import { SERVICE } from '../../plan/index.ts';
import { output } from './host-program.ts';

/** The state of the service in systemd. */
export interface ServiceState {
  /** `active`, `activating`, `failed`, `inactive` …; `none`: there is no such unit. */
  readonly active: string;
  readonly result: string;
  readonly exitStatus: number;
  readonly restarts: number;
  readonly invocation: string;
}

const PROPERTIES = ['LoadState', 'ActiveState', 'Result', 'ExecMainStatus', 'NRestarts', 'InvocationID'];

export async function serviceState(): Promise<ServiceState> {
  const said = await output('systemctl', 'show', SERVICE, ...PROPERTIES.flatMap((name) => ['-p', name]));
  const facts = Object.fromEntries((said ?? '').split('\n').map((line) => line.split('=', 2)));
  return {
    active: facts.LoadState === 'loaded' ? (facts.ActiveState ?? 'none') : 'none',
    result: facts.Result ?? '',
    exitStatus: Number(facts.ExecMainStatus ?? 0),
    restarts: Number(facts.NRestarts ?? 0),
    invocation: facts.InvocationID ?? '',
  };
}

export type Readiness =
  | { readonly kind: 'ready' }
  /** It ended with 78: the configuration is not accepted. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'notReady'; readonly state: string };

const LOOK_EVERY_MS = 200;
const CONFIGURATION_WRONG = 78;
/** A program that ends by itself again and again does not get better by waiting. */
const MOST_RESTARTS = 2;

/** Waits for READY of a start that is not `before` (an invocation id; empty: any). */
export async function whenReady(before: string, withinMs: number): Promise<Readiness> {
  for (const deadline = Date.now() + withinMs; ; await pause(LOOK_EVERY_MS)) {
    const state = await serviceState();
    const fresh = state.invocation !== before;
    if (fresh && state.active === 'active') return { kind: 'ready' };
    const hopeless =
      state.active === 'failed' || state.result === 'timeout' || state.restarts > MOST_RESTARTS;
    const over = fresh && hopeless;
    if (fresh && state.active === 'failed' && state.exitStatus === CONFIGURATION_WRONG) {
      return { kind: 'refused', reason: await lastWord() };
    }
    if (over || Date.now() > deadline) return { kind: 'notReady', state: `${state.active}, ${state.result}` };
  }
}

/** The last thing the service said. */
async function lastWord(): Promise<string> {
  const lines = await output(
    'journalctl',
    '-u',
    SERVICE,
    '-o',
    'cat',
    '-n',
    '20',
    '--no-pager',
    '_COMM=carillon',
  );
  const all =
    lines ?? (await output('journalctl', '-u', SERVICE, '-o', 'cat', '-n', '20', '--no-pager')) ?? '';
  const said = all.split('\n').filter((line) => line !== '' && !line.includes('systemd'));
  return said.at(-1) ?? '?';
}

/** The report of the service about itself. */
export interface LiveState {
  /** Why it cannot serve; empty: it can. */
  readonly faults: readonly string[];
  /** By name; empty for who may not ask. */
  readonly figures: Readonly<Record<string, number>>;
  /** With the control plane; undefined for who may not ask. */
  readonly connected?: boolean | undefined;
  /** Stored rows that have not reached their receiver, by lane; undefined for who may not ask. */
  readonly waiting?: { readonly alarm: number; readonly svc: number; readonly audit: number } | undefined;
}

const LOCAL_KEY_FILE = 'local-key';

/** Asked at its own listener, with the key of programs on this machine where it can be read; undefined: no answer. */
export async function liveState(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<LiveState | undefined> {
  const key = textOf(join(folder, LOCAL_KEY_FILE))?.trim();
  const at = { host: loopbackOf(host), port };
  if (key !== undefined) {
    const page = await pageText(at, '/technician/api/state', { authorization: `Bearer ${key}` }).catch(
      () => undefined,
    );
    if (page?.status === 200) return JSON.parse(page.body) as LiveState;
  }
  const ready = await pageText(at, '/readyz').catch(() => undefined);
  const figures = await serviceFigures(folder, at);
  if (ready === undefined) return undefined;
  const { reasons = [] } = JSON.parse(ready.body) as { reasons?: readonly string[] };
  return { faults: reasons, figures: figures ?? {} };
}

/** The capture of a trace or of calls; undefined: the service does not answer, or its key cannot be read. */
export async function captureOf(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
  query: URLSearchParams,
): Promise<{ readonly status: number; readonly bytes: Buffer } | undefined> {
  const key = textOf(join(folder, LOCAL_KEY_FILE))?.trim();
  if (key === undefined) return undefined;
  const headers = { authorization: `Bearer ${key}` };
  const path = `/technician/api/capture?${query}`;
  const page = await pageBytes({ host: loopbackOf(host), port }, path, headers).catch(() => undefined);
  return page && { status: page.status, bytes: page.bytes };
}

/** Figures of the running appliance by name; undefined when it cannot be asked. */
export async function serviceFigures(
  folder: string,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Readonly<Record<string, number>> | undefined> {
  const key = textOf(join(folder, LOCAL_KEY_FILE))?.trim();
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const text = await pageText({ host: loopbackOf(host), port }, '/metrics', headers).catch(() => undefined);
  if (text?.status !== 200) return undefined;
  const pairs = text.body
    .split('\n')
    .filter((line) => line.startsWith('carillon_'))
    .map((line) => line.slice('carillon_'.length).split(' '));
  return Object.fromEntries(pairs.map(([name = '', value]) => [name, Number(value)]));
}

/** A page of the appliance on this machine, as a text. */
async function pageText(
  ...asked: Parameters<typeof pageBytes>
): Promise<{ readonly status: number; readonly body: string }> {
  const { status, bytes } = await pageBytes(...asked);
  return { status, body: bytes.toString('utf8') };
}

/** Its certificate names its address outside, so it is not judged here. */
function pageBytes(
  { host, port }: { readonly host: string; readonly port: number },
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { host, port, path, headers, rejectUnauthorized: false, agent: false, timeout: 5_000 },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) }));
        answer.on('error', reject);
      },
    );
    asking.on('timeout', () => asking.destroy(new Error('no answer')));
    asking.on('error', reject);
    asking.end();
  });
}

/** A small file of the host; undefined when it is not there or may not be read. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
