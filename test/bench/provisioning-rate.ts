import type { BareSetting } from './process/bare.ts';
import {
  type HttpLoadAnswer,
  type HttpLoadAsk,
  type HttpTarget,
  httpLoadProcess,
} from './process/http-load-setting.ts';
import type { ProvisionedReady, ProvisionedSetting } from './process/provisioned-cloud.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { type Child, startChild } from './support/child-process.ts';
import { median, percentile } from './support/figure.ts';
import { inPlace, type Place } from './support/place.ts';
import { DOMAIN, profiled } from './support/start.ts';

type HttpLoad = Child<null, HttpLoadAsk, HttpLoadAnswer>;

const DEVICES = 10_000;
const MANY_DEVICES = 1_000_000;
const CONNECTIONS = 16;
const [SERVER_CORE, LOAD_CORE] = [0, 1];

/** Row 16: devices read and written by id over HTTP, against Hono and better-sqlite3 doing one statement a request. */
export const provisioningRate: Bench = { row: 16, name: 'provisioning-rate', run };

async function run({ quick, say }: BenchContext): Promise<BenchResult> {
  const time = quick
    ? { turns: 3, turnMs: 1_500, warmUpMs: 1_500 }
    : { turns: 7, turnMs: 5_000, warmUpMs: 10_000 };
  return await inPlace(async (place) => {
    const load: HttpLoad = await place.keep(startChild(httpLoadProcess, null, { core: LOAD_CORE }));
    const bare = await place.keep(
      startChild<BareSetting, { port: number }, never, null>(
        new URL('./process/bare.ts', import.meta.url),
        { folder: place.folder(), devices: DEVICES },
        { core: SERVER_CORE },
      ),
    );
    const ours = await startCloud(place, DEVICES);
    const targets = targetsOf(ours.ready, bare.ready.port);
    const ask = (target: HttpTarget, ms: number) => load.ask({ target, connections: CONNECTIONS, ms });
    for (const target of Object.values(targets)) await ask(target, time.warmUpMs / 4);

    const ratios = { read: [] as number[], write: [] as number[] };
    const rates: Record<keyof typeof targets, number[]> = {
      ourRead: [],
      bareRead: [],
      ourWrite: [],
      bareWrite: [],
    };
    let refused = 0;
    for (let turn = 1; turn <= time.turns; turn++) {
      const rateOf = async (name: keyof typeof targets) => {
        const answer = await ask(targets[name], time.turnMs);
        refused += answer.refused;
        rates[name].push(answer.perSecond);
        return answer.perSecond;
      };
      const read = (await rateOf('ourRead')) / (await rateOf('bareRead'));
      const write = (await rateOf('ourWrite')) / (await rateOf('bareWrite'));
      ratios.read.push(read);
      ratios.write.push(write);
      say(`turn ${turn}: read ${read.toFixed(2)} ×, write ${write.toFixed(2)} ×`);
    }
    await Promise.all([bare.stop(), ours.stop()]);
    const list = await listFigure(place, load, quick, say);
    const judged = (values: readonly number[]) => (refused > 0 ? 0 : median(values));
    const figure = { row: 16, unit: '/s', wanted: 'least' } as const;
    return {
      figures: [
        {
          ...figure,
          what: 'device read by id',
          ours: median(rates.ourRead),
          peer: median(rates.bareRead),
          judged: judged(ratios.read),
          gate: 0.5,
          ambition: 0.7,
        },
        {
          ...figure,
          what: 'device written: row, change, audit, one synced commit',
          ours: median(rates.ourWrite),
          peer: median(rates.bareWrite),
          judged: judged(ratios.write),
          gate: 0.4,
          ambition: 0.6,
        },
        list.figure,
      ],
      notes: [
        `${DEVICES} devices, ${CONNECTIONS} connections kept open in closed loop, API token, rate limits off; servers on core ${SERVER_CORE} in turns, generator on core ${LOAD_CORE}`,
        `${time.turns} turns of ${time.turnMs} ms each; median of the ratios of the turns; refused ${refused}`,
        'both on SQLite, WAL, synchronous=FULL: an answered write survives a power cut',
        list.note,
      ],
    };
  });
}

const startCloud = (place: Place, devices: number) =>
  place.keep(
    startChild<ProvisionedSetting, ProvisionedReady, never, null>(
      new URL('./process/provisioned-cloud.ts', import.meta.url),
      { folder: place.folder(), domain: DOMAIN, devices },
      { core: SERVER_CORE, nodeFlags: profiled, startMs: 600_000 },
    ),
  );

function targetsOf({ port, token }: ProvisionedReady, barePort: number) {
  const headers = { Authorization: `Bearer ${token}` };
  const body =
    '{"deviceId":"#","authType":"deviceid","srtp":"negotiated","description":"a device, written again %"}';
  const ours = { port, headers, ids: DEVICES } as const;
  const bare = { ...ours, port: barePort } as const;
  return {
    ourRead: { ...ours, method: 'GET', path: `/provisioning/device/${DOMAIN}/#` },
    bareRead: { ...bare, method: 'GET', path: '/device/#' },
    ourWrite: { ...ours, method: 'PUT', path: `/provisioning/device/${DOMAIN}`, body },
    bareWrite: { ...bare, method: 'PUT', path: '/device', body },
  } as const satisfies Record<string, HttpTarget>;
}

/** A page of 100 out of a million, wherever it begins, one request at a time. */
async function listFigure(place: Place, load: HttpLoad, quick: boolean, say: BenchContext['say']) {
  const devices = quick ? MANY_DEVICES / 20 : MANY_DEVICES;
  say(`filling a tenant with ${devices} devices`);
  const { ready } = await startCloud(place, devices);
  const target: HttpTarget = {
    port: ready.port,
    method: 'GET',
    path: `/provisioning/device/${DOMAIN}?limit=100&nextToken=@`,
    headers: { Authorization: `Bearer ${ready.token}` },
    ids: devices,
  };
  await load.ask({ target, connections: 1, ms: 1_000 });
  await sleep(200);
  const { latencies, refused } = await load.ask({ target, connections: 1, ms: quick ? 2_000 : 10_000 });
  const p95 = refused > 0 ? Number.POSITIVE_INFINITY : percentile(latencies, 0.95);
  return {
    figure: {
      row: 16,
      what: 'list of 100 devices out of 1,000,000 at any page, p95',
      unit: 'ms',
      ours: p95,
      judged: p95,
      gate: 5,
      ambition: 3,
      wanted: 'most',
    } as const,
    note: `${latencies.length} pages out of ${devices} devices, one at a time, each beginning behind another device`,
  };
}
