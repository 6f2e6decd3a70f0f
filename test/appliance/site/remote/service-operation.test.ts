import { describe, expect, it } from 'vitest';
import type { RemoteAnswer } from '#appliance/site/host/site-port.ts';
import { serviceOperations } from '#appliance/site/remote/index.ts';

function host({
  sick = [],
  points = { ok: true, value: { checks: ['point'], record: 'r', sent: true } },
}: {
  readonly sick?: readonly string[];
  readonly points?: RemoteAnswer;
} = {}) {
  const done: string[] = [];
  const operations = serviceOperations({
    services: ['sip', 'media'],
    pause: (name) => done.push(`pause ${name}`),
    resume: (name) => done.push(`resume ${name}`),
    probeAll: async () => sick,
    clearOverride: (key) => [key ?? 'every'],
    sees: (uid) => ({ near: true, lost: false })[uid],
    selfTest: async () => points,
  });
  const ask = async (name: keyof typeof operations, args: Record<string, unknown> = {}) =>
    await operations[name]({ args, by: 'user:ada' });
  return { ask, done };
}

const well = (name: string) => ({ name, ok: true, message: '' });

describe('a request of the cloud about the services', () => {
  it.each([
    ['override.clear', { key: 'sip' }, { ok: true, value: { cleared: ['sip'] } }],
    ['override.clear', {}, { ok: true, value: { cleared: ['every'] } }],
    ['override.clear', { key: 1 }, { ok: true, value: { cleared: ['every'] } }],
    ['probe', { uid: 'near' }, { ok: true, value: { sees: true } }],
    ['probe', { uid: 'lost' }, { ok: true, value: { sees: false } }],
    ['probe', { uid: 'other' }, { ok: false, code: 'noPeer' }],
    ['probe', {}, { ok: false, code: 'noPeer' }],
    ['svc.restart', { service: 'sip' }, { ok: true, value: { service: 'sip' } }],
    ['svc.restart', { service: 'fax' }, { ok: false, code: 'unknownService', reason: /no service fax$/ }],
    ['svc.restart', {}, { ok: false, code: 'unknownService' }],
  ] as const)('%s %j is answered %j', async (name, args, answer) => {
    const expected =
      'reason' in answer ? { ...answer, reason: expect.stringMatching(answer.reason) } : answer;
    expect(await host().ask(name, args)).toMatchObject(expected);
  });

  it('restarts a service by a pause, and touches none that it does not know', async () => {
    const { ask, done } = host();
    await ask('svc.restart', { service: 'media' });
    expect(done).toEqual(['pause media', 'resume media']);
    await ask('svc.restart', { service: 'fax' });
    expect(done).toHaveLength(2);
  });

  it('tests the services first, then the points of a technician', async () => {
    expect(await host({ sick: ['media'] }).ask('selftest')).toEqual({
      ok: true,
      value: {
        record: 'r',
        sent: true,
        checks: [well('sip'), { name: 'media', ok: false, message: 'media does not answer' }, 'point'],
      },
    });
  });

  it('names the services alone where the points could not be tested', async () => {
    const points: RemoteAnswer = { ok: false, code: 'busy', reason: 'not now' };
    expect(await host({ points }).ask('selftest')).toEqual({
      ok: true,
      value: { checks: [well('sip'), well('media')] },
    });
  });
});
