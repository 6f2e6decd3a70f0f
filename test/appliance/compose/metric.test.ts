import { describe, expect, it } from 'vitest';
import { clock } from '#appliance/compose/adapters.ts';
import { openHostMetric } from '#appliance/compose/metric.ts';
import { answerHealth } from '#appliance/io/site-listener/index.ts';
import type { BrokerConnection } from '#appliance/site/index.ts';
import { recordMs } from '#shared/clock.ts';

type Metric = ReturnType<typeof openHostMetric>;
const lines = (metric: Metric, names: RegExp) =>
  metric
    .text()
    .split('\n')
    .filter((line) => names.test(line));

const DAY_MS = 86_400_000;
const lane = { alarm: 0, svc: 0, audit: 0, usage: 0 };

it('says how this host stands', () => {
  const metric = openHostMetric();
  const before = { lane: 'svc', boot: 2, createdMono: 0, createdWall: Date.now() - 60_000 } as const;
  const now = { lane: 'alarm', boot: 3, createdMono: recordMs(clock) - 5_000, createdWall: 0 } as const;
  metric.watch({
    journal: { boot: 3, waiting: () => ({ ...lane, alarm: 2, svc: 1 }), oldestWaiting: () => [before, now] },
    connected: () => true,
    certificateEndsMs: () => Date.now() + 30 * DAY_MS,
    behind: () => 4,
    clockOffsetMs: () => -2_500,
    epoch: () => 7,
    hasAddress: () => false,
  });
  const shown = metric.text();
  for (const line of [
    'carillon_outbox_depth{lane="alarm"} 2',
    'carillon_outbox_depth{lane="usage"} 0',
    'carillon_outbox_oldest_seconds{lane="audit"} 0',
    'carillon_broker_connected 1',
    'carillon_config_lag_revisions 4',
    'carillon_clock_offset_seconds -2.5',
    'carillon_site_epoch 7',
    'carillon_vip_owner 0',
  ])
    expect(shown.split('\n')).toContain(line);
  const figure = (series: string) =>
    Number(
      shown
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.split(' ')[1],
    );
  // A clock that was set moves no age of this boot.
  expect(figure('carillon_outbox_oldest_seconds{lane="alarm"}')).toBeGreaterThanOrEqual(5);
  expect(figure('carillon_outbox_oldest_seconds{lane="alarm"}')).toBeLessThan(50);
  expect(figure('carillon_outbox_oldest_seconds{lane="svc"}')).toBeGreaterThanOrEqual(60);
  expect(figure('carillon_cert_expiry_days')).toBeCloseTo(30, 2);
  expect(figure('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(figure('nodejs_eventloop_lag_p99_seconds')).toBeLessThan(60);
});

it('leaves out unknown values', () => {
  const metric = openHostMetric();
  metric.watch({
    journal: { boot: 1, waiting: () => lane, oldestWaiting: () => [] },
    connected: () => false,
    certificateEndsMs: () => undefined,
    behind: () => 0,
    clockOffsetMs: () => undefined,
    epoch: () => 1,
    hasAddress: () => false,
  });
  expect(lines(metric, /^carillon_(cert|clock)/)).toEqual([]);
});

it('measures the disk, callbacks, the broker and configurations', async () => {
  const metric = openHostMetric();
  metric.synced([2, 120]);
  expect(lines(metric, /^carillon_journal_fsync_seconds_(bucket\{le="0.(1|0025)"|count)/)).toEqual([
    'carillon_journal_fsync_seconds_bucket{le="0.0025"} 1',
    'carillon_journal_fsync_seconds_bucket{le="0.1"} 1',
    'carillon_journal_fsync_seconds_count 2',
  ]);

  expect(metric.disk()).toEqual({ fsyncP99Ms: 120 });
  // A slow one is forgotten with time.
  metric.synced(Array.from({ length: 100 }, (_, n) => n / 10));
  expect(metric.disk()).toEqual({ fsyncP99Ms: 9.9 });
  expect(openHostMetric().disk()).toEqual({});

  const target = { domain: 'care.example', url: 'https://app.example', restAuthentication: [], timeoutMs: 1 };
  const to = (destClass: string) => ({ ...target, destClass });
  const what = [{}, {}] as unknown as [never, never];
  const answered = metric.caller(async () => ({ kind: 'answered', status: 204, body: '', credential: 0 }));
  const failed = metric.caller(async () => ({ kind: 'failed', code: 'timeout', reason: '' }));
  expect(await answered(to('bridge'), ...what)).toMatchObject({ status: 204 });
  await failed(to('platform'), ...what);
  expect(lines(metric, /^carillon_callback_(attempts|seconds_count)/)).toEqual([
    'carillon_callback_seconds_count{dest_class="bridge",code="204"} 1',
    'carillon_callback_seconds_count{dest_class="platform",code="timeout"} 1',
    'carillon_callback_attempts_total{result="delivered"} 1',
    'carillon_callback_attempts_total{result="unreached"} 1',
  ]);

  const said: string[] = [];
  const connection: BrokerConnection = {
    publish: async (topic) => void said.push(topic),
    subscribe: async () => undefined,
    end: async () => undefined,
  };
  const timed = metric.broker(connection);
  await timed.publish('a', '', { qos: 1 });
  // The broker answers none of QoS 0.
  await timed.publish('b', '', { qos: 0 });
  expect(said).toEqual(['a', 'b']);
  expect(lines(metric, /^carillon_mqtt_rtt_seconds_count/)).toEqual(['carillon_mqtt_rtt_seconds_count 1']);

  metric.reported({ res: 'applied', ms: 300, err: [] });
  metric.reported({ res: 'ack', err: [] });
  const fault = { code: 'resultHash', path: '', msg: '' };
  metric.reported({ res: 'nack', err: [fault, fault] });
  expect(lines(metric, /^carillon_config_(apply_seconds_(sum|count)|nack)/)).toEqual([
    'carillon_config_apply_seconds_sum 0.3',
    'carillon_config_apply_seconds_count 1',
    'carillon_config_nack_total{code="resultHash"} 1',
  ]);
});

describe('the pages', () => {
  const answer = (status: number, error: object = {}) => Response.json({ error }, { status });
  const answers: Readonly<Record<string, () => Response>> = {
    '/authorize': () => answer(401, { code: 'unauthorized' }),
    '/alarmcall/secret.example/executeCommand': () =>
      answer(400, { code: 'invalid', issues: [{ position: 1 }] }),
    '/readyz': () => answer(200),
  };

  it('are measured by their first word, and say why a person was not let in', async () => {
    const metric = openHostMetric();
    const pages = metric.pages((request) => answers[new URL(request.url).pathname]?.() ?? answer(404));
    for (const path of [...Object.keys(answers), '/anna/+46701234567'])
      await pages(new Request(`https://site.example${path}`), '127.0.0.1');
    expect(await (await pages(new Request('https://site.example/authorize'), '127.0.0.1')).json()).toEqual({
      error: { code: 'unauthorized' },
    });
    metric.notLetIn('wrongCredentials');
    expect(lines(metric, /^carillon_(http_request_seconds_count|auth|regex)/)).toEqual([
      'carillon_auth_fail_total{reason="unauthorized"} 2',
      'carillon_auth_fail_total{reason="wrongCredentials"} 1',
      'carillon_regex_reject_total 1',
      'carillon_http_request_seconds_count{method="GET",route="/authorize",status="401"} 2',
      'carillon_http_request_seconds_count{method="GET",route="/alarmcall",status="400"} 1',
      'carillon_http_request_seconds_count{method="GET",route="/readyz",status="200"} 1',
      'carillon_http_request_seconds_count{method="GET",route="none",status="404"} 1',
    ]);
    expect(metric.text()).not.toMatch(/anna|4670|secret/);
  });

  it('show them behind the figures of this host, each with its head', async () => {
    const metric = openHostMetric();
    const facts = {
      reasons: () => [],
      mayHaveAddress: () => true,
      figures: () => ({ calls: 3 }),
      families: metric.text,
    };
    const text = await answerHealth(new Request('https://site.example/metrics'), facts).text();
    expect(text).toMatch(
      /^# HELP carillon_calls .*\n# TYPE carillon_calls gauge\ncarillon_calls 3\n# HELP carillon_journal_fsync_seconds/,
    );
  });
});

describe('how late the loop is', () => {
  const figure = (metric: Metric): number =>
    Number(lines(metric, /^nodejs_eventloop_lag_p99_seconds /)[0]?.split(' ')[1]);

  it('is what its deadlines say since the last look', () => {
    const metric = openHostMetric();
    expect(figure(metric)).toBe(0);
    for (const ms of [0, 0.2, 35]) metric.loopLate(ms);
    expect(figure(metric)).toBeCloseTo(0.035, 3);
    expect(figure(metric)).toBe(0);
  });
});
