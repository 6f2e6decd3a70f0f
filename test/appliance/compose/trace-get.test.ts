import { expect, test } from 'vitest';
import { remoteOperations } from '#appliance/compose/remote.ts';

const PAGE = '[{"atMs":1,"kind":"sipReceived","detail":{}}]';

/** The operation at a host whose journal has one trace; the other operations of the machine are not asked. */
const asked = async (args: Record<string, unknown>) => {
  const identity = { certificatePem: '', keyPem: '', caPem: '', edgeUrl: 'https://127.0.0.1:9' };
  const parts = {
    renewal: {},
    site: { identity },
    trace: (traceId: string) => (traceId === 'known' ? [PAGE] : []),
  };
  const operation = remoteOperations(parts as unknown as Parameters<typeof remoteOperations>[0])['trace.get'];
  return await operation?.({ args } as Parameters<NonNullable<typeof operation>>[0]);
};

test('a host without a step of the trace says so, and sends nothing', async () => {
  const url = 'https://127.0.0.1:9/edge/v1/trace/1';
  expect(await asked({ traceId: 'unknown', url })).toEqual({ ok: true, value: { bytes: 0 } });
});

test('a trace goes to the edge listener of this host and nowhere else', async () => {
  for (const url of ['https://evil.test/edge/v1/trace/1', 'https://127.0.0.1:9/edge/v1/diagnosis/1'])
    expect(await asked({ traceId: 'known', url })).toMatchObject({ ok: false, code: 'foreignAddress' });
  // No listener is there: the host says that it could not send.
  const url = 'https://127.0.0.1:9/edge/v1/trace/1';
  expect(await asked({ traceId: 'known', url })).toMatchObject({ ok: false, code: 'unreachable' });
  expect(await asked({ url })).toMatchObject({ ok: false, code: 'invalid' });
});
