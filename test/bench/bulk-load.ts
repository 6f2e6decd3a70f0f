import type { ProvisionedReady, ProvisionedSetting } from './process/provisioned-cloud.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { startChild } from './support/child-process.ts';
import { median, percentile } from './support/figure.ts';
import { inPlace } from './support/place.ts';
import { DOMAIN, profiled } from './support/start.ts';

const BYTES = 10 * 1024 * 1024;
const READ_EVERY_MS = 10;
const SERVER_CORE = 0;

/** Row 16: a CSV of 10 MiB taken up by the cloud while devices are read by id. */
export const bulkLoad: Bench = { row: 16, name: 'bulk-load', run };

interface Turn {
  readonly seconds: number;
  /** ms, of reads under way while the load was. */
  readonly p95: number;
  readonly reads: number;
}

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const csv = devicesOf(quick ? BYTES / 10 : BYTES);
  const turns: Turn[] = [];
  for (let turn = 1; turn <= (quick ? 1 : 5); turn++) {
    const done = await inPlace(async (place) => {
      const cloud = await place.keep(
        startChild<ProvisionedSetting, ProvisionedReady, never, null>(
          new URL('./process/provisioned-cloud.ts', import.meta.url),
          { folder: place.folder(), domain: DOMAIN, devices: 1_000 },
          { core: SERVER_CORE, nodeFlags: profiled },
        ),
      );
      return await loaded(cloud.ready, csv.text);
    });
    say(`turn ${turn}: ${done.seconds.toFixed(1)} s, ${done.reads} reads, p95 ${done.p95.toFixed(1)} ms`);
    turns.push(done);
  }
  const seconds = median(turns.map((turn) => turn.seconds));
  const p95 = median(turns.map((turn) => turn.p95));
  const figure = { row: 16, wanted: 'most' } as const;
  return {
    figures: [
      {
        ...figure,
        what: `CSV of ${csv.rows} devices applied`,
        unit: 's',
        ours: seconds,
        judged: seconds,
        gate: 30,
        ambition: 10,
      },
      {
        ...figure,
        what: 'device read by id meanwhile, p95',
        unit: 'ms',
        ours: p95,
        judged: p95,
        gate: 20,
        ambition: 8,
      },
    ],
    notes: [
      `${csv.rows} new devices in ${csv.text.length} bytes, answered at once and applied in transactions of 500 with change and audit`,
      `one read each ${READ_EVERY_MS} ms over a kept connection; ${turns.length} turns, each on a database of its own; medians; cloud on core ${SERVER_CORE}`,
      'no host of the tenant is connected: what a host takes up is row 17',
    ],
  };
}

async function loaded({ port, token }: ProvisionedReady, text: string): Promise<Turn> {
  const base = `http://127.0.0.1:${port}/provisioning/device/${DOMAIN}`;
  const headers = { authorization: `Bearer ${token}` };
  const read = async (path: string) => {
    const answer = await fetch(`${base}${path}`, { headers });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as { status?: { status: string; rows: number; failed: number } };
  };
  for (let i = 0; i < 50; i++) await read(`/device-${i}`);
  const begin = performance.now();
  const put = await fetch(`${base}/bulk/load`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: text,
  });
  if (!put.ok) throw new Error(`the load was refused: ${await put.text()}`);
  const latencies: number[] = [];
  for (;;) {
    const sent = performance.now();
    await read(`/device-${latencies.length % 1_000}`);
    latencies.push(performance.now() - sent);
    if (latencies.length % 20 === 0) {
      const { status } = await read('/bulk/load');
      if (status?.status === 'FAILED' || (status?.failed ?? 0) > 0) throw new Error('the load failed');
      if (status?.status === 'COMPLETED') break;
    }
    await sleep(READ_EVERY_MS);
  }
  const seconds = (performance.now() - begin) / 1000;
  const ascending = latencies.toSorted((a, b) => a - b);
  return { seconds, reads: latencies.length, p95: percentile(ascending, 0.95) };
}

function devicesOf(bytes: number): { text: string; rows: number } {
  const lines = ['deviceId,authType,srtp,deviceType,description,serviceData.alarmBridge.heartbeatInterval'];
  let size = 0;
  while (size < bytes - 200) {
    const row = lines.length;
    const line = `load-${String(row).padStart(7, '0')},deviceid,negotiated,alarmUnit,Unit ${row} of the large house,300000`;
    lines.push(line);
    size += line.length + 1;
  }
  return { text: `${lines.join('\n')}\n`, rows: lines.length - 1 };
}
