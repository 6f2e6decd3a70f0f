import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { simulateScaip } from '#appliance/simulator/index.ts';
import {
  dashboardFiles,
  dashboardSchema,
  expressionsOf,
  MONITORING,
  metricsIn,
  rulesText,
} from '#test/support/dashboard.ts';
import { openSitePair, type SitePair } from '#test/support/site-pair.ts';
import { runProgram } from './support/program.ts';
import { type Prometheus, startPrometheus } from './support/prometheus.ts';

const RULES = join(MONITORING, 'alert-rules.yml');
const WITHIN_MS = 90_000;
const dashboards = [...dashboardFiles()].map(([name, file]) => [name, dashboardSchema.parse(file)] as const);
const asked = dashboards.flatMap(([name, dashboard]) =>
  expressionsOf(dashboard).map(({ title, expr }) => ({ where: `${name}: ${title}`, expr })),
);

/** No host refuses anything here; and where no program can say whether the clock has a source, its panel is empty. */
const MAY_BE_SILENT = new Set(['configuration: Refused by hosts', 'site-host: Clock']);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-prometheus-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const promtool = (...words: string[]) => runProgram('promtool', words);

describe('promtool', () => {
  it('finds nothing wrong with the rules, and something with a broken one', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatchObject({ code: 0, stderr: '' });
    const broken = join(folder, 'broken.yml');
    writeFileSync(broken, rulesText().replace('< 64', '< sixty four'));
    const refused = await promtool('check', 'rules', broken);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('could not parse expression');
  });

  /** The story, or its parts about an alert, evaluated by these rules. */
  async function judged(
    rules: string,
    alert = '',
  ): Promise<{ readonly code: number; readonly said: string }> {
    const story = readFileSync(join(import.meta.dirname, 'support/alert-story.yml'), 'utf8');
    // All as text: `0x7` is seven zeros here, and no number.
    const { tests, ...rest } = parse(story, { schema: 'failsafe' }) as { readonly tests: readonly object[] };
    const file = join(folder, 'story.yml');
    // JSON is YAML.
    writeFileSync(
      file,
      JSON.stringify({
        ...rest,
        rule_files: [rules],
        tests: tests.filter((one) => JSON.stringify(one).includes(alert)),
      }),
    );
    const { code, stdout, stderr } = await promtool('test', 'rules', file);
    return { code, said: stdout + stderr };
  }

  it('sees each alert when it must be, and at no other time', async () => {
    const { code, said } = await judged(RULES);
    expect(code, said).toBe(0);
  });

  it.each([
    ['CarillonOutboxOld', '> 30', '> 31'],
    ['CarillonConfigurationLate', '> 0.01', '> 0.02'],
    ['CarillonShardUnowned', ' or absent(carillon_shard_owned)', ''],
    ['CarillonReplicaLost', '[30m:30s]', '[1m:30s]'],
    ['CarillonAnnouncementsLate', '> 5\n', '> 50\n'],
    ['CarillonStorageDamaged', '> 0\n', '> 2\n'],
    ['CarillonJournalSlow', '> 0.1\n', '> 1\n'],
    ['CarillonCertificateEnding', '< 14', '<= 14'],
    ['CarillonFalseOffline', '52 * sum', '530 * sum'],
    ['CarillonMediaFull', '== 0', '== 1'],
    ['CarillonProcessorLate', 'for: 2m', 'for: 20m'],
    ['CarillonAlarmUnanswered', 'result="unanswered"', 'result="stopped"'],
    ['CarillonAlarmWaits', '> 120', '> 121'],
  ])('sees that %s is another one', async (alert, is, becomes) => {
    const [before = '', own = ''] = rulesText().split(`- alert: ${alert}\n`);
    const other = join(folder, `${alert}.yml`);
    expect(own).toContain(is);
    writeFileSync(other, `${before}- alert: ${alert}\n${own.replace(is, becomes)}`);
    const { code, said } = await judged(other, alert);
    expect(code).not.toBe(0);
    expect(said).toContain(`alertname: ${alert}`);
  });
});

describe('Prometheus, with a control plane and two hosts that run', () => {
  let pair: SitePair;
  let prometheus: Prometheus;
  let pages: readonly string[];

  beforeAll(async () => {
    pair = await openSitePair();
    await live(pair);
    const targets = [
      { at: new URL(pair.api).host, scheme: 'http' },
      ...pair.hosts.map(({ webPort }) => ({ at: `127.0.0.1:${webPort}`, scheme: 'https' }) as const),
    ] as const;
    prometheus = await startPrometheus({ folder, rules: RULES, targets });
    // Some looks at each: a rate needs them.
    await prometheus.until('count(sum_over_time(up[1m]) > 4)', '3', WITHIN_MS);
    pages = await Promise.all(
      targets.map(({ at, scheme }) =>
        scheme === 'http'
          ? fetch(`http://${at}/metrics`).then((answer) => answer.text())
          : runProgram('curl', ['--silent', '--insecure', `https://${at}/metrics`]).then(
              ({ stdout }) => stdout,
            ),
      ),
    );
  });
  afterAll(async () => {
    await prometheus?.stop();
    await pair?.close();
  });

  it('takes the figures of all three', async () => {
    const data = (await prometheus.ask('targets')) as {
      readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
    };
    expect(data.activeTargets.map(({ health, lastError }) => `${health}${lastError}`)).toEqual([
      'up',
      'up',
      'up',
    ]);
  });

  it('finds every figure that a dashboard or rule names', () => {
    const named = [...asked.flatMap(({ expr }) => metricsIn(expr)), ...metricsIn(rulesText())];
    expect(missing(named)).toEqual([]);
    expect(new Set(named).size).toBeGreaterThan(40);
    // A name with a slip is found out.
    expect(missing(['carillon_outbox_dept', 'carillon_vip_owner'])).toEqual(['carillon_outbox_dept']);
  });

  it('finds every figure of the list in the README', () => {
    const list = readFileSync(join(MONITORING, 'README.md'), 'utf8').split('## Figures')[1] ?? '';
    expect(missing(metricsIn(list).filter((name) => name !== 'process_'))).toEqual([]);
  });

  it('has rules that it can evaluate', async () => {
    const data = (await prometheus.ask('rules')) as {
      readonly groups: readonly {
        readonly rules: readonly { readonly name: string; readonly health: string }[];
      }[];
    };
    const rules = data.groups.flatMap((group) => group.rules);
    // As many as the file holds: the server has left none out.
    expect(rules).toHaveLength(rulesText().split('- alert: ').length - 1);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
  });

  it('answers what every panel asks', async () => {
    const silent = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const { where, expr } of asked) {
        const data = (await prometheus.ask('query', { query: expr })) as {
          readonly result: readonly unknown[];
        };
        if (data.result.length === 0 && !MAY_BE_SILENT.has(where)) found.push(where);
      }
      return found;
    };
    // The figures of a heartbeat are there after the first one.
    let found = await silent();
    for (const lateMs = performance.now() + WITHIN_MS; found.length > 0 && performance.now() < lateMs; )
      found = await silent();
    expect(found).toEqual([]);
  });

  /** Names that none of the programs shows: as a family, or as a line. */
  function missing(names: readonly string[]): string[] {
    const shown = new Set(
      pages.flatMap((page) =>
        page.split('\n').map((line) => /^(?:# TYPE )?([a-z0-9_]+)/.exec(line)?.[1] ?? ''),
      ),
    );
    return [...new Set(names)].filter((name) => !shown.has(name) && !shown.has(name.replace(/_total$/, '')));
  }
});

/** A little of everything that is counted: an alarm, an edit, and requests that are refused by each program. */
async function live(pair: SitePair): Promise<void> {
  const headers = { authorization: `Bearer ${pair.token}`, 'content-type': 'application/json' };
  const put = (path: string, body: object) =>
    fetch(`${pair.api}/provisioning/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) });
  const device = { authType: 'deviceid', deviceType: 'alarmbridgeAlarmUnit', srtp: 'never' };
  expect((await put(`device/${pair.domain}`, { ...device, deviceId: 'unit-1' })).status).toBeLessThan(300);
  const guessed = { authorization: 'Bearer guessed' };
  await fetch(`${pair.api}/platform/tenant`, { headers: guessed });
  const [{ webPort, sipPort }] = pair.hosts;
  await runProgram('curl', ['--silent', '--insecure', `https://127.0.0.1:${webPort}/authorize`]);
  const acknowledged = Promise.withResolvers<string>();
  void simulateScaip({
    to: `127.0.0.1:${sipPort}`,
    transport: 'udp',
    domain: pair.domain,
    receiver: 'scaip',
    device: 'unit-1',
    password: undefined,
    count: 1,
    rate: 1,
    deviceType: '0003',
    statusCode: '0010',
    trust: undefined,
    onAcknowledged: acknowledged.resolve,
  });
  await acknowledged.promise;
}
