import { describe, expect, it } from 'vitest';
import { captureOperations, recordingOperations } from '#appliance/site/remote/index.ts';
import { fail, ok } from '#shared/result.ts';

/* A capture or a recording on its way to an address that the cloud made for it. */

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const invalid = { ok: false, code: 'invalid' };

describe('a capture', () => {
  const document = { messages: [1, 2], overwritten: true, oldestAt: '2026-01-01', cut: false };
  const pcapng = Uint8Array.of(10, 13);
  const host = ({ isHost = true, captures = true } = {}) => {
    const [sent, asked]: [Uint8Array[], object[]] = [[], []];
    const { 'capture.export': operation } = captureOperations({
      captureFor: captures
        ? async (request) => {
            asked.push(request);
            return {
              document,
              json: async () => Buffer.from(JSON.stringify(document)),
              pcapng: async () => pcapng,
            };
          }
        : undefined,
      send: () =>
        isHost
          ? async (url, body) => {
              if (url === 'refused') return fail('unreachable', 'no way');
              sent.push(body);
              return ok({ bytes: 3, sha256: 'abc' });
            }
          : undefined,
    });
    const ask = async (args: Record<string, unknown>) => await operation?.({ args, by: 'system' });
    return { ask, sent, asked };
  };

  it.each([
    [{ url: 'x', traceId: 't' }, { ok: true }],
    [{ url: 'x', callIds: ['c'] }, { ok: true }],
    [{ url: 'x' }, invalid],
    [{ url: 'x', callIds: [] }, invalid],
    [{ traceId: 't' }, invalid],
    [
      { url: 'refused', traceId: 't' },
      { ok: false, code: 'unreachable', reason: 'no way' },
    ],
  ])('%j is answered %j', async (args, answer) => {
    expect(await host().ask(args)).toMatchObject(answer);
  });

  it('goes as a document or as a file for Wireshark, and the answer says what is in it', async () => {
    const { ask, sent, asked } = host();
    const answer = await ask({ url: 'x', traceId: 't', from: 5, to: 9, format: 'json' });
    await ask({ url: 'x', callIds: ['c'], format: 'pcapng' });
    expect(JSON.parse(Buffer.from(sent[0] ?? []).toString())).toEqual(document);
    expect(sent[1]).toBe(pcapng);
    expect(asked).toMatchObject([{ traceId: 't', fromMs: 5, toMs: 9 }, { callIds: ['c'] }]);
    expect(answer).toEqual({
      ok: true,
      value: { bytes: 3, sha256: 'abc', messages: 2, overwritten: true, oldestAt: '2026-01-01', cut: false },
    });
  });

  it('is refused by a host that captures none, and by a machine that is no host', async () => {
    expect(await host({ captures: false }).ask({ url: 'x', traceId: 't' })).toMatchObject({
      code: 'captureOff',
    });
    expect(await host({ captures: false }).ask({ url: 'x' })).toMatchObject(invalid);
    expect(await host({ isHost: false }).ask({ url: 'x', traceId: 't' })).toMatchObject(invalid);
  });
});

describe('a recording', () => {
  const host = ({ isHost = true, uploaded = false } = {}) => {
    const [sent, works, logged]: [string[], Promise<unknown>[], unknown[]] = [[], [], []];
    const released: string[] = [];
    const { 'recording.send': operation } = recordingOperations({
      own: (name) => (name === 'a.wav' ? { path: '/a', size: 10 } : undefined),
      near: async (name) =>
        name.startsWith('near') ? { size: 4, copy: async () => copies(name, released) } : undefined,
      isUploaded: async () => uploaded,
      send: () =>
        isHost
          ? async (url, path) => {
              sent.push(`${path} to ${url}`);
              return url === 'refused' ? fail('unreachable', 'no way') : ok(null);
            }
          : undefined,
      run: (work) => void works.push(work),
      log: (level, event, _message, detail) => void logged.push([level, event, detail]),
    });
    const ask = async (args: Record<string, unknown>) => await operation?.({ args, by: 'system' });
    return { ask, sent, works, logged, released };
  };

  it.each([
    [{ fileName: 'a.wav' }, {}, { ok: true, value: { size: 10 } }, 0],
    [{ fileName: 'a.wav', url: 'x' }, {}, { ok: true, value: { size: 10 } }, 1],
    [
      { fileName: 'a.wav', url: 'x' },
      { uploaded: true },
      { ok: false, code: 'notFound', reason: /has taken/ },
      0,
    ],
    [{ fileName: 'b.wav', url: 'x' }, {}, { ok: false, code: 'notFound', reason: /not at this site/ }, 0],
    [{ fileName: 'a.wav', url: 'x' }, { isHost: false }, invalid, 0],
    [{ url: 'x' }, {}, invalid, 0],
  ])('%j at a host that is %j is answered %j', async (args, how, answer, times) => {
    const { ask, sent } = host(how);
    const reason = 'reason' in answer ? { reason: expect.stringMatching(answer.reason) } : {};
    expect(await ask(args)).toMatchObject({ ...answer, ...reason });
    expect(sent).toEqual(Array.from({ length: times }, () => '/a to x'));
  });

  it('is answered before it is sent; a failure is a line of the log', async () => {
    const { ask, works, logged } = host();
    expect(await ask({ fileName: 'a.wav', url: 'refused' })).toEqual({ ok: true, value: { size: 10 } });
    await ask({ fileName: 'a.wav', url: 'x' });
    await Promise.all(works);
    await settled();
    expect(logged).toEqual([['debug', 'recording.send_failed', { reason: 'no way' }]]);
  });

  it('is copied, sent and released when it is of another host', async () => {
    const { ask, works, sent, released } = host();
    expect(await ask({ fileName: 'near.wav' })).toEqual({ ok: true, value: { size: 4 } });
    expect(await ask({ fileName: 'near.wav', url: 'x' })).toEqual({ ok: true, value: { size: 4 } });
    await Promise.all(works);
    expect({ sent, released }).toEqual({ sent: ['/copy of near.wav to x'], released: ['near.wav'] });
  });

  it('is not sent when it is of another host and cannot be read, and that is said', async () => {
    const { ask, works, sent, logged } = host();
    await ask({ fileName: 'near-gone.wav', url: 'x' });
    await Promise.all(works);
    expect(sent).toEqual([]);
    expect(logged).toEqual([['debug', 'recording.send_failed', { reason: 'gone' }]]);
  });
});

const copies = (name: string, released: string[]) =>
  name === 'near-gone.wav'
    ? fail('unreachable', 'gone')
    : ok({ path: `/copy of ${name}`, release: async () => void released.push(name) });
