import { expect, test } from 'vitest';
import { sendTrace } from '#appliance/io/edge/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';
import { machineOperations } from '#appliance/site/remote/index.ts';

const PAGE = '[{"atMs":1,"kind":"sipReceived","detail":{}}]';

/** The operation at a host whose journal has one trace; the other operations of the machine are not asked. */
const asked = async (args: Record<string, unknown>) => {
  const identity = {
    certificatePem: '',
    keyPem: '',
    caPem: '',
    edgeUrl: 'https://127.0.0.1:9',
  } as HostIdentity;
  const ports = {
    sender: () => ({ trace: (url: string, json: string) => sendTrace(identity, url, json) }),
    trace: async (traceId: string) => (traceId === 'known' ? [PAGE] : []),
  };
  const operations = machineOperations(ports as unknown as Parameters<typeof machineOperations>[0]);
  return await operations['trace.get']({ args } as Parameters<(typeof operations)['trace.get']>[0]);
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
