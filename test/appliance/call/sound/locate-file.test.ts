import { expect, it } from 'vitest';
import { locateFile, type RecordingState } from '#appliance/call/sound/locate-file.ts';
import type { WantedFile } from '#appliance/call/sound/port.ts';
import { fail, ok } from '#shared/result.ts';

interface Site {
  /** Where the file is. */
  readonly at: readonly ('here' | 'peer' | 'upload' | 'cloud')[];
  /** The control plane cannot be asked. */
  readonly down?: boolean;
  readonly state?: RecordingState;
}

/** The outcome of a search, and the places that were asked, in order. */
async function search({ at, down = false, state }: Site, wanted: WantedFile = { fileName: 'x.wav' }) {
  const asked: string[] = [];
  const none = fail('NotFound', 'none');
  const found = await locateFile(
    wanted,
    new AbortController().signal,
    {
      pathOf: () => {
        asked.push('here');
        return at.includes('here') ? 'here' : undefined;
      },
      fetchFile: async () => {
        asked.push('upload');
        if (down) return fail('Unreachable', 'no line');
        return at.includes('upload') ? ok('upload') : none;
      },
      borrow: async (_, from) => {
        asked.push(from);
        if (from === 'cloud' && down) return fail('Unreachable', 'no line');
        return at.includes(from) ? ok({ path: from, release: async () => undefined }) : none;
      },
    },
    () => state,
  );
  return { found: found.ok ? found.value.path : found.error.code, asked };
}

it.each<[string, Site, string, string[]]>([
  ['a file of this host', { at: ['here', 'peer'] }, 'here', ['here']],
  ['a recording of another host of the site', { at: ['peer'] }, 'peer', ['here', 'peer']],
  ['a file uploaded a moment ago', { at: ['upload'] }, 'upload', ['here', 'peer', 'upload']],
  ['a recording of a lost host', { at: ['cloud'] }, 'cloud', ['here', 'peer', 'upload', 'cloud']],
  ['no file', { at: [] }, 'NotFound', ['here', 'peer', 'upload', 'cloud']],
  ['a file of another host, without WAN', { at: ['peer'], down: true }, 'peer', ['here', 'peer']],
  ['no file here, without WAN', { at: ['cloud'], down: true }, 'Unreachable', ['here', 'peer', 'upload']],
  ['a recording that runs here', { at: ['here'], state: 'running' }, 'NotFound', []],
])('%s', async (_, site, found, asked) => {
  expect(await search(site)).toEqual({ found, asked });
});

it('a revision names an uploaded file: no recording is played in its place', async () => {
  const wanted = { fileName: 'x.wav', revision: 7 };
  expect(await search({ at: ['peer', 'cloud'] }, wanted)).toEqual({
    found: 'NotFound',
    asked: ['here', 'upload'],
  });
});
