import { describe, expect, it } from 'vitest';
import { machineOperations } from '#appliance/site/remote/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { SelfTestRecord } from '#shared/self-test/index.ts';

const URL = 'https://edge.example/edge/v1/x/1';
const PAGES: Readonly<Record<string, readonly string[]>> = { one: ['[{"n":1}]', '[{"n":2},{"n":3}]'] };
const record = {
  points: [
    { id: 'disk', verdict: 'ok', found: '12 GB' },
    { id: 'cloud', verdict: 'warning', found: 'slow' },
    { id: 'sip', verdict: 'failure', found: 'no answer' },
    { id: 'trunk', verdict: 'skipped', found: 'none' },
  ],
} as unknown as SelfTestRecord;

/** A host, or a machine that is none; whatever is sent to `refused` is refused. */
function machine(isHost: boolean) {
  const sent: unknown[] = [];
  const send = async (url: string, body: unknown) => {
    if (url === 'refused') return fail('foreignAddress', 'not there');
    sent.push(body);
    return ok({ bytes: 7, sha256: 'abc' });
  };
  const operations = machineOperations({
    sender: () =>
      isHost
        ? { trace: send, diagnosis: async (url, bundle) => await send(`${url}/d`, { diagnosis: bundle }) }
        : undefined,
    log: () => ['{"level":"info","n":1}', '{"level":"warn","n":2}'],
    renew: () => ({ ok: true, value: { renewed: true } }),
    upgrade: () => ({ ok: true, value: { upgraded: true } }),
    bundle: async () => ({ kind: 'bundle' }),
    trace: async (traceId) => PAGES[traceId] ?? [],
    selfTest: async () => ({ record, sent: false }),
  });
  const ask = async (name: keyof typeof operations, args: Record<string, unknown>) =>
    await operations[name]({ args, by: 'user:ada' });
  return { ask, sent };
}

const invalid = { ok: false, code: 'invalid' };
const refused = { ok: false, code: 'foreignAddress', reason: 'not there' };

describe('a request of the cloud to the machine', () => {
  it.each([
    ['logs.tail', { level: 'warn' }, { ok: true, value: { lines: ['{"level":"warn","n":2}'] } }],
    ['logs.tail', { lines: 1 }, { ok: true, value: { lines: ['{"level":"warn","n":2}'] } }],
    ['logs.tail', { lines: 0 }, invalid],
    ['logs.tail', { level: 'loud' }, invalid],
    ['trace.get', { traceId: 'one', url: URL }, { ok: true, value: { bytes: 7, sha256: 'abc' } }],
    ['trace.get', { traceId: 'none', url: URL }, { ok: true, value: { bytes: 0 } }],
    ['trace.get', { traceId: 'one', url: 'refused' }, refused],
    ['trace.get', { traceId: 'one' }, invalid],
    ['diag.bundle', { url: URL }, { ok: true, value: { bytes: 7, sha256: 'abc' } }],
    ['diag.bundle', { url: URL.slice(0, 5) }, { ok: true }],
    ['diag.bundle', {}, invalid],
    ['cert.renew', {}, { ok: true, value: { renewed: true } }],
    ['sw.upgrade', {}, { ok: true, value: { upgraded: true } }],
  ] as const)('%s %j is answered %j', async (name, args, answer) => {
    expect(await machine(true).ask(name, args)).toMatchObject(answer);
  });

  it('sends all pages of a trace as one document, and the bundle as it is', async () => {
    const { ask, sent } = machine(true);
    await ask('trace.get', { traceId: 'one', url: URL });
    await ask('diag.bundle', { url: URL });
    expect(JSON.parse(String(sent[0]))).toEqual({ v: 1, pages: [[{ n: 1 }], [{ n: 2 }, { n: 3 }]] });
    expect(sent[1]).toEqual({ diagnosis: { kind: 'bundle' } });
  });

  it('sends nothing of a machine that is no host', async () => {
    const { ask, sent } = machine(false);
    expect(await ask('trace.get', { traceId: 'one', url: URL })).toMatchObject(invalid);
    expect(await ask('diag.bundle', { url: URL })).toMatchObject(invalid);
    expect(sent).toEqual([]);
  });

  it('answers each point of a self-test; a failure alone is not well', async () => {
    expect(await machine(true).ask('selftest', {})).toEqual({
      ok: true,
      value: {
        checks: [
          { name: 'disk', ok: true, message: '12 GB' },
          { name: 'cloud', ok: true, message: 'slow' },
          { name: 'sip', ok: false, message: 'no answer' },
          { name: 'trunk', ok: true, message: 'none' },
        ],
        record,
        sent: false,
      },
    });
  });
});
