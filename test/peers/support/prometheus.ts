import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '#test/support/site-port.ts';

export interface PrometheusPlan {
  /** Folder of its configuration and data, kept by the caller. */
  readonly folder: string;
  /** File of rules. */
  readonly rules: string;
  /** Targets that are scraped each second, by `host:port`; https without a look at whose certificate it is. */
  readonly targets: readonly { readonly at: string; readonly scheme: 'http' | 'https' }[];
}

export interface Prometheus {
  /** `data` of its HTTP API; rejects with what it has to say against the question. */
  readonly ask: (path: string, words?: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Resolves when the query has this one value; rejects with what it has instead. */
  readonly until: (query: string, value: string, withinMs: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

const READY_WITHIN_MS = 60_000;

/** Prometheus on 127.0.0.1, with the rules loaded. */
export async function startPrometheus({ folder, rules, targets }: PrometheusPlan): Promise<Prometheus> {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const jobs = targets.map(({ at, scheme }) => ({
    job_name: at,
    scheme,
    tls_config: { insecure_skip_verify: true },
    static_configs: [{ targets: [at] }],
  }));
  const config = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: jobs,
  };
  // JSON is YAML.
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, JSON.stringify(config));
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  let failed: Error | undefined;
  child.stderr.on('data', (text) => {
    said += text;
  });
  child.once('error', (error) => {
    failed = error;
  });
  const base = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${base}/-/ready`)
      .then(({ ok }) => ok)
      .catch(() => false);
  for (const untilMs = performance.now() + READY_WITHIN_MS; !(await isReady()); await pause(100)) {
    if (failed !== undefined || child.exitCode !== null || performance.now() > untilMs)
      throw new Error(`prometheus is not ready: ${failed?.message ?? said}`);
  }
  const ask: Prometheus['ask'] = async (path, words = {}) => {
    const answer = await fetch(`${base}/api/v1/${path}?${new URLSearchParams(words)}`);
    const { status, data, error } = (await answer.json()) as {
      readonly status: string;
      readonly data?: unknown;
      readonly error?: string;
    };
    if (status !== 'success') throw new Error(`${path} ${JSON.stringify(words)}: ${error}`);
    return data;
  };
  return {
    ask,
    until: async (query, value, withinMs) => {
      for (const lateMs = performance.now() + withinMs; ; await pause(200)) {
        const { result } = (await ask('query', { query })) as {
          readonly result: readonly { readonly value: readonly [number, string] }[];
        };
        if (result[0]?.value[1] === value) return;
        if (performance.now() > lateMs)
          throw new Error(`${query} is ${JSON.stringify(result)}, not ${value}`);
      }
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
