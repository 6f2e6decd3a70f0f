import { afterEach, describe, expect, test } from 'vitest';
import { type OpenMedia, openMedia } from '#appliance/io/media-worker/index.ts';
import { openWebRtc } from '#appliance/io/webrtc/index.ts';
import type { Media } from '#appliance/media/control/index.ts';
import { callLoop, rtpOutcome } from '#appliance/selftest/call-loop.ts';
import type { RunningProbes } from '#appliance/selftest/running.ts';
import { realAppliance } from '#test/support/real-appliance.ts';

const HOST = '127.0.0.1';
const WITHIN_MS = 120_000;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** An appliance on real sockets with the real engine, of which `broken` spoils something. */
async function service(broken: (media: OpenMedia) => Partial<Media> = () => ({})) {
  const engine = await openMedia({
    ports: { from: 27_000, to: 27_499 },
    workers: 1,
    host4: HOST,
    tooLateMs: 500,
    log: () => undefined,
  });
  ends.push(() => engine.close());
  const media: Media = Object.assign(Object.create(engine) as OpenMedia, broken(engine));
  const webrtc = openWebRtc({ ports: { from: 27_500, to: 27_599 }, extraHosts: [] });
  ends.push(async () => webrtc.end());
  const appliance = await realAppliance({}, { media, webrtc });
  ends.push(() => appliance.close());
  const { selfCalls } = appliance.runtime;
  const running: Pick<RunningProbes, 'expectCall' | 'farEnd'> = {
    expectCall: async () => selfCalls.expect(),
    farEnd: (user) => selfCalls.farEnd(user),
  };
  return { appliance, running, to: { host: HOST, port: appliance.port('UDP') } };
}

describe('a call of this machine to itself', () => {
  test(
    'is answered by the service, and carries audio, digits and every codec in both directions',
    async () => {
      const { running, to, appliance } = await service();
      const { call, rtp, dtmf, codecs } = await callLoop(to, running);
      expect(call).toMatchObject({ verdict: 'ok', found: expect.stringMatching(/^answered in [\d.]+ ms$/) });
      // A busy machine may be late with a packet, which is a note; so are digits that were heard at the second try.
      for (const [id, outcome] of Object.entries({ rtp, dtmf }))
        expect(['ok', 'warning'], `${id}: ${outcome.found}`).toContain(outcome.verdict);
      expect(rtp.found).toMatch(/^[1-9]\d* packets there, [1-9]\d* back, /);
      expect(dtmf.found).toContain('*159D0# there and back, as events and as tones');
      expect(codecs).toEqual({ verdict: 'ok', found: 'PCMA, PCMU, GSM' });
      expect(appliance.logged.filter((line) => line.includes('defect'))).toEqual([]);
      expect(appliance.posted, 'no application hears of it').toEqual([]);
    },
    WITHIN_MS,
  );

  test(
    'is refused where no media port is left, and nothing else is measured',
    async () => {
      const { running, to } = await service(() => ({
        openLeg: async () => ({ ok: false, error: { code: 'NoPort', reason: 'all ports are in use' } }),
      }));
      const outcomes = await callLoop(to, running);
      expect(outcomes.call).toMatchObject({ verdict: 'failure', code: 'call.refused' });
      expect(outcomes.call.found).toMatch(/^503 /);
      for (const id of ['rtp', 'dtmf', 'codecs'] as const)
        expect(outcomes[id], id).toMatchObject({ verdict: 'skipped', code: 'call.none' });
    },
    WITHIN_MS,
  );

  test(
    'is taken as the call of an alarm is, and says so where a later one is refused',
    async () => {
      const profiles: string[] = [];
      const { running, to } = await service((engine) => ({
        openLeg: async (opening) => {
          profiles.push(opening.profile);
          return profiles.length === 1
            ? await engine.openLeg(opening)
            : { ok: false, error: { code: 'Overload', reason: 'too much to do' } };
        },
      }));
      const { call, codecs } = await callLoop(to, running);
      expect(call.verdict).toBe('ok');
      expect(codecs).toMatchObject({ verdict: 'failure', code: 'call.refused' });
      expect(codecs.found).toBe('PCMU: 503 Service Unavailable; GSM: 503 Service Unavailable');
      expect(profiles).toEqual(['alarm', 'alarm', 'alarm']);
    },
    WITHIN_MS,
  );

  test(
    'shows which direction is silent when the engine sends nothing',
    async () => {
      const { running, to } = await service((engine) => ({
        updateLeg: (leg, stream) => engine.updateLeg(leg, stream && { ...stream, direction: 'recvonly' }),
      }));
      const { call, rtp, dtmf, codecs } = await callLoop(to, running);
      expect(call.verdict).toBe('ok');
      expect(rtp).toMatchObject({ verdict: 'failure', code: 'rtp.silent' });
      expect(rtp.found).toMatch(/^[1-9]\d* packets there, 0 back/);
      expect(dtmf).toMatchObject({ verdict: 'failure', code: 'dtmf.unheard' });
      expect(dtmf.found).toContain('heard back: events "", tones ""');
      expect(codecs).toMatchObject({ verdict: 'failure', code: 'codecs.level' });
      expect(codecs.found).toContain('PCMA silent back');
    },
    WITHIN_MS,
  );

  test(
    'is red without a listener for SIP',
    async () => {
      const { running, to, appliance } = await service();
      await appliance.network.close();
      const { call, rtp } = await callLoop(to, running);
      expect(call.verdict).toBe('failure');
      expect(['call.silent', 'call.refused']).toContain(call.code);
      expect(rtp).toMatchObject({ verdict: 'skipped', code: 'call.none' });
    },
    WITHIN_MS,
  );

  test(
    'leads nowhere for a caller without the address',
    async () => {
      const { to, running } = await service();
      await running.expectCall();
      const stranger = { ...running, expectCall: async () => ({ user: 'selftest.0123456789abcdef' }) };
      const { call } = await callLoop(to, stranger);
      expect(call).toMatchObject({ verdict: 'failure' });
    },
    WITHIN_MS,
  );

  test('is red where the service does not answer at its address', async () => {
    const down = {
      expectCall: () => Promise.reject(new Error('ECONNREFUSED')),
      farEnd: async () => undefined,
    };
    const { call, codecs } = await callLoop({ host: HOST, port: 9 }, down);
    expect(call).toMatchObject({ verdict: 'failure', code: 'service.silent' });
    expect(call.found).toContain('ECONNREFUSED');
    expect(codecs).toMatchObject({ verdict: 'skipped', code: 'call.none' });
    expect((await callLoop({ host: HOST, port: 9 }, undefined)).call.code).toBe('service.silent');
  });
});

describe('the audio of that call', () => {
  const received = (packets: number, lost = 0, jitterMs = 1) => ({ packets, lost, jitterMs });

  test.each([
    [received(500), received(500), 'ok', undefined],
    [received(500, 1), received(500), 'warning', 'rtp.lost'],
    [received(500), received(500, 0, 25), 'warning', 'rtp.lost'],
    [received(500, 30), received(500), 'failure', 'rtp.lost'],
    [received(500, 0, 61), received(500), 'failure', 'rtp.lost'],
    [received(0), received(500), 'failure', 'rtp.silent'],
    [received(500), received(0), 'failure', 'rtp.silent'],
    [undefined, received(500), 'failure', 'rtp.lost'],
    [received(500), undefined, 'failure', 'rtp.lost'],
  ])('%j there and %j back is %s, %s', (far, near, verdict, code) => {
    expect(rtpOutcome(near, far)).toMatchObject({ verdict, ...(code && { code }) });
  });
});
