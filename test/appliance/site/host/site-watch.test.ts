import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SiteWatch, type WatchedService } from '#appliance/site/host/site-watch.ts';
import { type ConditionEvent, judgeDisk } from '#appliance/site/index.ts';
import { SiteWorld } from './site-world.ts';

let world: SiteWorld;
let reported: ConditionEvent[];
beforeEach(() => {
  world = new SiteWorld();
  reported = [];
});
afterEach(() => world.end());

/** A service whose state the test sets. */
function fake(name: string) {
  const service = {
    name,
    starts: 0,
    stops: 0,
    failsToStart: undefined as string | undefined,
    fault: undefined as string | undefined,
    mute: false,
    start: async () => {
      service.starts++;
      if (service.failsToStart !== undefined) throw new Error(service.failsToStart);
    },
    probe: async () => (service.mute ? await new Promise<undefined>(() => undefined) : service.fault),
    stop: async () => {
      service.stops++;
    },
  };
  return service;
}

function watch(services: readonly WatchedService[], full = () => 10): SiteWatch {
  const { clock, log, run, startTimer } = world.ports();
  const site = new SiteWatch({
    clock,
    log,
    run,
    startTimer,
    services,
    readings: async () => ({ diskPressure: judgeDisk({ freeBytes: 100 - full(), totalBytes: 100 }) }),
    tell: (event) => reported.push(event),
  });
  site.start();
  return site;
}

const words = () => reported.map(({ status, error, service }) => `${status} ${error} ${service}`.trim());

it('a service that does not answer is started again, and everybody learns of it once', async () => {
  const media = fake('media');
  const site = watch([fake('sip'), media]);
  await world.advance(1_000);
  expect(site.svc).toEqual({ sip: 'ok', media: 'ok' });
  media.mute = true;
  await world.advance(30_000);
  expect(site.sick).toEqual(['media']);
  await world.advance(20_000);
  expect(media.stops).toBe(1);
  expect(media.starts).toBe(2);
  expect(words()).toEqual(['raised serviceFailure media']);
  expect(reported[0]?.message).toMatch(/3 probes failed: no answer within 5 s/);
  media.mute = false;
  await world.advance(120_000);
  expect(words()).toEqual(['raised serviceFailure media', 'cleared serviceFailure media']);
  expect(site.sick).toEqual([]);
  expect(site.conditions).toEqual([]);
  site.stop();
});

it('a service that cannot start says why, and is tried until it can', async () => {
  const sip = fake('sip');
  sip.failsToStart = 'the port is taken';
  const site = watch([sip]);
  await world.advance(10_000);
  expect(words()).toEqual(['raised serviceStartFailed sip']);
  expect(reported[0]?.message).toMatch(/the port is taken/);
  expect(site.svc).toEqual({ sip: 'down' });
  sip.failsToStart = undefined;
  await world.advance(180_000);
  expect(words()).toEqual(['raised serviceStartFailed sip', 'cleared serviceStartFailed sip']);
  site.stop();
});

it('the health gate asks all that should serve, and leaves out who was paused', async () => {
  const [sip, media] = [fake('sip'), fake('media')];
  const site = watch([sip, media]);
  await world.advance(1_000);
  media.fault = 'a worker is gone';
  const asked = site.probeAll();
  await turn();
  expect(await asked).toEqual(['media']);
  site.pause('media');
  expect(await site.probeAll()).toEqual([]);
  expect(site.svc).toEqual({ sip: 'ok', media: 'paused' });
  site.stop();
});

it('figures of the machine raise and clear their own alarms', async () => {
  let full = 85;
  const site = watch([], () => full);
  await world.advance(1_000);
  full = 96;
  await world.advance(20_000);
  full = 50;
  await world.advance(20_000);
  expect(reported.map(({ status, severity }) => `${status} ${severity}`)).toEqual([
    'raised warning',
    'raised critical',
    'cleared critical',
  ]);
  site.stop();
});
