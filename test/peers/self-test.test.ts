import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadIdentity } from '#appliance/io/edge/index.ts';
import { alarmProbe } from '#appliance/selftest/alarm-probe.ts';
import { brokerProbe } from '#appliance/selftest/broker-probe.ts';
import { type RunningProbes, throughListener } from '#appliance/selftest/running.ts';
import { worstGateway } from '#appliance/selftest/sip-probe.ts';
import { trunkProbe } from '#appliance/selftest/trunk-probe.ts';
import type { HopEcho } from '#shared/self-test/index.ts';
import { Place } from '#test/bench/support/place.ts';
import { freePorts } from '#test/support/site-port.ts';
import { type BrokeredSite, startBrokeredSite } from './support/brokered-site.ts';
import { runSipp } from './support/sipp.ts';
import { untilListening } from './support/sipp-pair.ts';
import {
  ack,
  checked,
  hangsUp,
  has,
  hear,
  hop,
  invite,
  reply,
  type Step,
  scenario,
  take,
  trying,
} from './support/sipp-scenario.ts';

const CARRIER = '127.0.0.8';
const WITHIN_S = 30;

const place = new Place();
let site: BrokeredSite;
let service: RunningProbes;
let carrierPort: number;
let phonePort: number;

beforeAll(async () => {
  [carrierPort = 0, phonePort = 0] = await freePorts(CARRIER, 2);
  site = await startBrokeredSite(place);
  await site.broker.ear.next('up/state', ({ st }) => st === 'on');
  service = throughListener(site.applianceFolder, site.listener);
  const answer = await fetch(`${site.api}/provisioning/trunk/${site.domain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'carrier',
      hosts: [{ uri: `sip:${CARRIER}:${carrierPort}` }],
      username: 'carillon',
      password: 'carrier-secret',
      optionsInterval: 0,
    }),
  });
  expect(answer.status).toBe(200);
});
afterAll(() => place.close());

const broker = () => brokerProbe(loadIdentity(site.applianceFolder), service);

describe('Mosquitto as the broker', () => {
  it('brings back what a host said of itself', async () => {
    expect(await broker()).toMatchObject({
      verdict: 'ok',
      found: expect.stringMatching(/^127\.0\.0\.1:\d+, published and heard back in [\d.]+ ms$/),
    });
  });

  it('that takes it and does not deliver it is found out', async () => {
    await site.broker.grant(
      [
        'pattern write carillon/1/+/+/+/%u/up/#',
        'pattern read carillon/1/+/+/+/%u/dn/#',
        'pattern read carillon/1/+/cp/state',
      ].join('\n'),
    );
    expect(await broker()).toMatchObject({ verdict: 'failure', code: 'mqtt.notDelivered' });
    await site.broker.grant();
    expect(await broker()).toMatchObject({ verdict: 'ok' });
  });
});

describe('SIPp as the telephone of the loop call', () => {
  const dial = (user: string, ...steps: readonly (Step | readonly Step[])[]) =>
    runSipp({
      scenario: scenario('telephone', ...steps),
      transport: 'udp',
      port: site.sip,
      from: CARRIER,
      fromPort: phonePort,
      domain: site.domain,
      calls: [['nobody', user]],
      withinS: WITHIN_S,
    });

  it('is answered at the address that was opened, without a password, and hangs up', async () => {
    const { user } = await service.expectCall();
    const outcome = await dial(user, invite(), trying, hear(200), ack(), hangsUp());
    expect(outcome.errors).toBe('');
    expect(outcome.code).toBe(0);
    expect(await service.farEnd(user)).toMatchObject({ calls: 1, byEvents: '', byTones: '' });
  });

  it('that guesses the address is asked for its password like any other', async () => {
    const outcome = await dial(`selftest.${'0'.repeat(24)}`, invite(), trying, hear(401), hop('ACK'));
    expect(outcome.errors).toBe('');
    expect(outcome.code).toBe(0);
    expect(await service.farEnd(`selftest.${'0'.repeat(24)}`)).toBeUndefined();
  });
});

describe('an application that cannot be reached', () => {
  it('is red, and the test alarm does not wait for it', async () => {
    const points = await alarmProbe(true, service);
    expect(points.length).toBeGreaterThan(0);
    for (const point of points) expect(point).toMatchObject({ verdict: 'failure', code: 'alarm.unreached' });
  });
});

describe('SIPp as the host of a trunk', () => {
  /** Until the trunk has come to the appliance. No socket listens at the carrier meanwhile: this asks it, too. */
  beforeAll(async () => {
    while ((await service.trunks()).length === 0) await new Promise(setImmediate);
  });

  let hops: readonly HopEcho[] = [];

  async function asked(...steps: readonly Step[]) {
    const carrier = runSipp({
      scenario: scenario('host of a trunk', ...steps),
      transport: 'udp',
      port: site.sip,
      from: CARRIER,
      fromPort: carrierPort,
      domain: site.domain,
      calls: [['-']],
      withinS: WITHIN_S,
    });
    await untilListening('udp', carrierPort);
    const looks = service.trunks();
    const [outcome, points] = await Promise.all([carrier, trunkProbe(true, { trunks: () => looks })]);
    expect(outcome.errors).toBe('');
    expect(outcome.code).toBe(0);
    hops = (await looks).flatMap(({ outcome: said }) =>
      said.kind === 'answered' && said.hop !== undefined ? [said.hop] : [],
    );
    return points;
  }

  const challenge = reply(401, {
    headers: ['WWW-Authenticate: Digest realm="carrier", nonce="abc", algorithm=MD5, qop="auth"'],
  });

  it('that answers is well, with its status and time', async () => {
    expect(await asked(take('OPTIONS'), reply(200))).toMatchObject([
      { verdict: 'ok', found: expect.stringMatching(/^carrier \(sip:127\.0\.0\.8:\d+\): 200, [\d.]+ ms$/) },
    ]);
  });

  it('behind a router that changes nothing, and behind one that writes another address into our fields', async () => {
    await asked(take('OPTIONS'), reply(200));
    expect(worstGateway(hops)).toMatchObject({ verdict: 'ok' });
    const from = 'From: <sip:203.0.113.9>;tag=x';
    await asked(take('OPTIONS'), reply(200).replace('[last_From:]', from));
    expect(worstGateway(hops)).toMatchObject({ verdict: 'warning', code: 'alg.rewrites' });
    expect(worstGateway(hops).found).toContain('From came back altered');
  });

  it('that wants our password gets it', async () => {
    const login = has('Authorization', 'username="carillon"', 'login');
    const points = await asked(
      take('OPTIONS'),
      challenge,
      take('OPTIONS', { action: login }),
      reply(200),
      checked('login'),
    );
    expect(points).toMatchObject([{ verdict: 'ok' }]);
  });

  it('that refuses our password is red, with what to do', async () => {
    const points = await asked(take('OPTIONS'), challenge, take('OPTIONS'), challenge);
    expect(points).toMatchObject([{ verdict: 'failure', code: 'trunk.login' }]);
  });

  it.each([
    [403, 'warning', 'trunk.refused'],
    [503, 'failure', 'trunk.unavailable'],
  ] as const)('that says %i is a %s', async (status, verdict, code) => {
    expect(await asked(take('OPTIONS'), reply(status))).toMatchObject([{ verdict, code }]);
  });

  it('that is not there is red', async () => {
    const [point] = await trunkProbe(true, service);
    expect(point?.verdict).toBe('failure');
    expect(['trunk.silent', 'trunk.unreachable']).toContain(point?.code);
  });
});
