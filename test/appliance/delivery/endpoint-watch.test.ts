import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EndpointCondition, EndpointWatch, watchEndpoints } from '#appliance/delivery/endpoint-watch.ts';
import { answered, testAppliance } from '#test/support/appliance.ts';

const URL = 'https://app.example/alarms';

let reported: EndpointCondition[];
let now: number;
beforeEach(() => {
  reported = [];
  now = 1_000;
});

const watch = (nameOf: (dest: string) => string | undefined = () => 'North'): EndpointWatch =>
  new EndpointWatch({ tell: (condition) => reported.push(condition), wallMs: () => now, nameOf });

const DELIVERED = { kind: 'delivered' } as const;
const REFUSED = { kind: 'refused', status: 503, reason: 'answered 503' } as const;
const UNREACHED = { kind: 'unreached', reason: 'timeout: no answer within callbackTimeout' } as const;
const BRIDGE = 'bridge 01jd0000000000000000000001';

it('opens one incident for an endpoint, and ends it with the first callback that is taken', () => {
  const endpoints = watch();
  endpoints.attempted(BRIDGE, DELIVERED);
  expect(reported).toEqual([]);
  endpoints.attempted(BRIDGE, UNREACHED);
  now = 5_000;
  endpoints.attempted(BRIDGE, REFUSED);
  endpoints.attempted(BRIDGE, REFUSED);
  expect(reported).toHaveLength(1);
  expect(reported[0]).toMatchObject({
    error: 'serviceFailure',
    status: 'raised',
    severity: 'major',
    since: 1_000,
  });
  expect(reported[0]?.service.length).toBeLessThanOrEqual(32);
  expect(reported[0]?.message).toBe(
    'The endpoint of North does not accept callbacks. It gave no answer: timeout: no answer within callbackTimeout. Callbacks are kept and sent again. Look whether the application runs, and whether it answers 2xx.',
  );
  endpoints.attempted(BRIDGE, DELIVERED);
  endpoints.attempted(BRIDGE, DELIVERED);
  expect(reported.map(({ status }) => status)).toEqual(['raised', 'cleared']);
  expect(reported[1]).toMatchObject({ since: 1_000, service: reported[0]?.service });
});

it('keeps the endpoints apart', () => {
  const endpoints = watch((dest) => (dest === 'platform' ? 'the platform alarms' : undefined));
  endpoints.attempted(BRIDGE, REFUSED);
  endpoints.attempted('platform', REFUSED);
  endpoints.attempted('platform', DELIVERED);
  expect(reported.map(({ service, status }) => `${service} ${status}`)).toEqual([
    'cb 01jd0000000000000000000001 raised',
    'cb platform raised',
    'cb platform cleared',
  ]);
  expect(reported[0]?.message).toContain(
    'The endpoint of 01jd0000000000000000000001 does not accept callbacks.',
  );
});

it('ends the incident of an earlier life when a row that waited is taken', () => {
  const endpoints = watch();
  endpoints.recovered([
    { dest: BRIDGE, lastErr: 'answered 503' },
    { dest: 'platform', lastErr: null },
  ]);
  endpoints.attempted(BRIDGE, DELIVERED);
  endpoints.attempted('platform', DELIVERED);
  expect(reported.map(({ status }) => status)).toEqual(['cleared']);
});

it('an endpoint that still fails after a start is reported again: the control plane keeps one alarm', () => {
  const endpoints = watch();
  endpoints.recovered([{ dest: BRIDGE, lastErr: 'answered 503' }]);
  endpoints.attempted(BRIDGE, REFUSED);
  endpoints.attempted(BRIDGE, REFUSED);
  expect(reported.map(({ status }) => status)).toEqual(['raised']);
});

describe('on an appliance', () => {
  let site: Awaited<ReturnType<typeof testAppliance>>;
  beforeEach(async () => {
    site = await testAppliance();
    site.notify(URL);
  });
  afterEach(() => site.close());

  it('a callback that is not taken, and the retry that is, are one incident', async () => {
    const { runtime, clock, tenant } = site;
    watchEndpoints({ clock, tenant: () => tenant }, runtime.delivery, (event) => reported.push(event));
    let status = 500;
    site.answerBy(() => answered({}, status));
    runtime.alarms.raise({ type: 'destinationDown', destination: 'sip:arc', reason: 'it gave no answer' });
    await site.quiet();
    expect(reported).toMatchObject([{ status: 'raised', service: 'cb platform' }]);
    expect(reported[0]?.message).toContain('It answered 500.');
    status = 204;
    await site.leap(120_000);
    await site.quiet();
    expect(reported.map((each) => each.status)).toEqual(['raised', 'cleared']);
  });
});
