import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordingsOf } from '#appliance/compose/remote.ts';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';
import type { HostIdentity } from '#appliance/site/index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-recording-operation-'));
  writeFileSync(join(folder, 'a.wav'), 'some bytes');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The answer of a host with the recording `a.wav`, which the control plane has or not. */
const answerFor = async (fileName: string, uploaded: boolean): Promise<unknown> => {
  const recording = { uploaded, files: [{ fileName: 'a.wav' }] } as unknown as ShelvedRecording;
  const shelf = {
    all: async () => [recording],
    pathOf: (name: string) => (name === 'a.wav' ? join(folder, name) : undefined),
  };
  const { 'recording.send': send } = recordingsOf(shelf, {
    site: { identity: {} as HostIdentity },
    run: () => undefined,
    log: () => undefined,
  });
  return await send?.({ args: { fileName }, by: 'user:ada' });
};

it('a recording of this host is found until the control plane has taken it', async () => {
  expect(await answerFor('a.wav', false)).toEqual({ ok: true, value: { size: 10 } });
  expect(await answerFor('a.wav', true)).toMatchObject({ ok: false, code: 'notFound' });
  expect(await answerFor('b.wav', false)).toMatchObject({ ok: false, code: 'notFound' });
});
