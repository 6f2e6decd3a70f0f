import { describe, expect, it } from 'vitest';
import {
  execProvider,
  type HttpVoiceTools,
  httpProvider,
  Speaker,
  type SpokenPiece,
  type TtsProvider,
  type Utterance,
} from '#appliance/io/tts/index.ts';
import { fail, ok } from '#shared/result.ts';
import { sine, wavOf } from '../prompt/sound.ts';

const go = new AbortController().signal;
const voices = [{ id: 'anna', lang: 'sv', rate: 16_000 }];
const hej = { text: 'Hej <b>du</b>', lang: 'sv' };

function provider(
  id: string,
  speak: (utterance: Utterance, signal: AbortSignal) => AsyncIterable<SpokenPiece>,
  readsSsml = false,
): TtsProvider {
  return { id, voices, readsSsml, speak };
}
const second = { samples: sine(500, 1, 16_000), sampleRate: 16_000 };
async function* says(...pieces: SpokenPiece[]): AsyncIterable<SpokenPiece> {
  yield* pieces;
}
// biome-ignore lint/correctness/useYield: it fails before it says a word
async function* fails(reason: string): AsyncIterable<SpokenPiece> {
  throw new Error(reason);
}
const stuck = (): AsyncIterable<SpokenPiece> => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
});

describe('providers in their order', () => {
  it('the first that speaks is taken', async () => {
    const asked: Utterance[] = [];
    const good = provider('good', (utterance) => {
      asked.push(utterance);
      return says(second, second);
    });
    const bad = provider('bad', () => fails('it is on fire'));
    const empty = provider('empty', () => says());
    const spoken = await new Speaker([bad, empty, provider('stuck', stuck), good], 50).speak(hej, go);
    expect(spoken).toMatchObject({
      ok: true,
      value: { engine: 'good', voice: 'anna', prompt: { samples: 16_000 } },
    });
    expect(asked).toEqual([{ text: 'Hej <b>du</b>', voice: voices[0], rate: 1, ssml: false }]);
  });

  it('none: the complaint of each', async () => {
    const all = [provider('one', () => fails('on fire')), provider('two', stuck)];
    expect(await new Speaker(all, 50).speak(hej, go)).toMatchObject({
      ok: false,
      error: {
        code: 'Failed',
        reason:
          'Nobody could speak the text of 13 characters in sv. one: on fire; two: no sound within 0.05 s',
      },
    });
  });

  it('SSML reaches those who read it, text the others', async () => {
    const texts: string[] = [];
    const hear = (id: string, readsSsml: boolean) =>
      provider(
        id,
        ({ text, ssml }) => {
          texts.push(`${id} ${ssml} ${text}`);
          return fails('next');
        },
        readsSsml,
      );
    await new Speaker([hear('plain', false), hear('rich', true)]).speak({ ...hej, ssml: true }, go);
    expect(texts).toEqual(['plain false Hej du', 'rich true Hej <b>du</b>']);
  });

  it('stops when it is not wanted any more', async () => {
    const aborted = new AbortController();
    const speaking = new Speaker([provider('stuck', stuck), provider('good', () => says(second))]).speak(
      hej,
      aborted.signal,
    );
    aborted.abort();
    expect(await speaking).toMatchObject({ ok: false, error: { code: 'Stopped' } });
  });
});

/** A speech program: repeats its text as the frequency of a tone. */
const program = (body: string) =>
  [process.execPath, '-e', body, '{voice}', '{lang}'] as [string, ...string[]];
const exec = (body: string, sound: 'wav' | 'pcm' = 'pcm') =>
  new Speaker([execProvider({ id: 'own', command: program(body), voices, sound })]);

describe('a program of the operator', () => {
  it('gets the text on its input and no shell', async () => {
    const body = `
      let text = ''; process.stdin.on('data', (part) => { text += part; });
      process.stdin.on('end', () => {
        const right = text === 'Hej; $(rm -rf x) "' && process.argv.slice(1).join() === 'anna,sv' && !process.env.SECRET;
        process.stdout.write(Buffer.alloc(right ? 32000 : 3200));
      });`;
    process.env.SECRET = 'x';
    const spoken = await exec(body).speak({ text: 'Hej; $(rm -rf x) "', lang: 'sv' }, go);
    delete process.env.SECRET;
    expect(spoken).toMatchObject({ ok: true, value: { prompt: { samples: 8_000 } } });
  });

  it('may stream a WAV whose head does not know its length', async () => {
    const wav = wavOf(sine(500, 0.5, 8_000), 8_000);
    wav.writeUInt32LE(0x7fff_f000, 40);
    const body = `const b = Buffer.from('${wav.toString('base64')}', 'base64');
      process.stdout.write(b.subarray(0, 21)); setTimeout(() => process.stdout.write(b.subarray(21)), 20);`;
    expect(await exec(body, 'wav').speak(hej, go)).toMatchObject({
      ok: true,
      value: { prompt: { samples: 4_000 } },
    });
  });

  it.each([
    ['process.stderr.write("no licence"); process.exit(3)', 'wav', /own: ended with 3: no licence|no WAV/],
    ['process.stdout.write("hello, world: this is text")', 'wav', /something that is no WAV file/],
    ['process.exit(0)', 'wav', /0 bytes that are no WAV file/],
    ['process.exit(0)', 'pcm', /holds no sound/],
  ] as const)('%s (%s) is a complaint', async (body, sound, reason) => {
    const spoken = await exec(body, sound).speak(hej, go);
    expect(spoken).toMatchObject({ ok: false, error: { code: 'Failed' } });
    expect(!spoken.ok && spoken.error.reason).toMatch(reason);
  });

  it('that is not there is a complaint, and one that hangs is ended', async () => {
    const aborted = new Speaker([
      execProvider({ id: 'own', command: ['/nonexistent/piper'], voices, sound: 'wav' }),
    ]);
    const missing = await aborted.speak(hej, go);
    expect(!missing.ok && missing.error.reason).toMatch(/ENOENT/);
    const hanging = execProvider({
      id: 'own',
      command: program('setInterval(() => 0, 1000)'),
      voices,
      sound: 'wav',
    });
    const late = await new Speaker([hanging], 200).speak(hej, go);
    expect(!late.ok && late.error.reason).toMatch(/no sound within 0.2 s/);
  });
});

describe('a service on the network', () => {
  const setting = {
    id: 'cloud',
    url: 'https://speech.example/v1',
    headers: { Authorization: 'Bearer x' },
    body: '{"input":"{{text}}","language":"{{lang}}","voice":"{{voice}}","speed":{{rate}},"other":"{{unknown}}"}',
    voices,
    sound: 'pcm',
  } as const;
  const tools = (
    answer: Awaited<ReturnType<HttpVoiceTools['post']>>,
    seen: unknown[] = [],
  ): HttpVoiceTools => ({
    post: async (...asked) => {
      seen.push(asked.slice(0, 3));
      return answer;
    },
    decode: () => says(second),
  });

  it('gets the text inside the template, and answers sound', async () => {
    const seen: unknown[] = [];
    const speaker = new Speaker([httpProvider(setting, tools(ok(new Uint8Array(32_000)), seen))]);
    const text = 'He said "no"\n{{voice}}';
    const spoken = await speaker.speak({ text, lang: 'sv', rate: 1.5 }, go);
    expect(spoken).toMatchObject({ ok: true, value: { prompt: { samples: 8_000 } } });
    const [[url, headers, body]] = seen as [[string, Record<string, string>, string]];
    expect([url, headers]).toEqual([
      setting.url,
      { 'content-type': 'application/json', authorization: 'Bearer x' },
    ]);
    expect(JSON.parse(body)).toEqual({
      input: text,
      language: 'sv',
      voice: 'anna',
      speed: 1.5,
      other: '{{unknown}}',
    });
  });

  it('may answer a file, or fail', async () => {
    const file = new Speaker([httpProvider({ ...setting, sound: 'file' }, tools(ok(new Uint8Array(1))))]);
    expect(await file.speak(hej, go)).toMatchObject({ ok: true, value: { prompt: { samples: 8_000 } } });
    const broken = new Speaker([
      httpProvider(setting, tools(fail('Unreachable', 'speech.example answered 500'))),
    ]);
    expect(await broken.speak(hej, go)).toMatchObject({ ok: false, error: { code: 'Failed' } });
  });
});
