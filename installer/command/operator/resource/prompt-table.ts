import type { CallFailure, Client, Operations } from '#shared/client/index.ts';
import { ok, type Result } from '#shared/result.ts';
import { exitCode, Stop } from '../../../exit-code.ts';
import { readFileOf } from '../../../io/file/readable-file.ts';
import type { Answered, Given, Operation } from '../operation/operation.ts';

const TYPES: Readonly<Record<string, string>> = { wav: 'audio/wav', mp3: 'audio/mpeg', ogg: 'audio/ogg' };

const fileOf = (given: Given) => ({ domain: given.domain ?? '', filename: given.name ?? '' });

/** A sound file of a person: WAV, MP3 or Ogg. */
function soundOf({ from }: Given) {
  if (from === undefined) throw new Stop(exitCode.wrongUse, 'The command needs --from FILE, a sound file.');
  const type = TYPES[from.split('.').at(-1)?.toLowerCase() ?? ''];
  if (type === undefined)
    throw new Stop(exitCode.wrongUse, `${from} is no sound file by its name: WAV, MP3 and Ogg are taken.`);
  return { body: readFileOf(from), headers: { 'Content-Type': type } };
}

const put: Operation['run'] = (client, given) =>
  client.call('putMediaserviceByDomainPromptfileByFilename', {
    ...fileOf(given),
    ...(soundOf(given) as unknown as { body: string; headers: Record<string, string> }),
  });
/** Every page of the list. */
async function allFiles(client: Client, { domain = '' }: Given): Answered {
  const files: object[] = [];
  let next: string | null | undefined;
  do {
    const part: Result<PromptFileList, CallFailure> = await client.call('getMediaserviceByDomainPromptfile', {
      domain,
      ...(next === undefined || next === null ? {} : { next }),
    });
    if (!part.ok) return part;
    files.push(...part.value.files);
    ({ next } = part.value);
  } while (next !== null);
  return ok({ success: true, files });
}

type PromptFileList = Operations['getMediaserviceByDomainPromptfile']['answer'];

const FROM = ['--from <file>', 'a WAV, MP3 or Ogg file'] as const;

/** The sound files of a tenant. */
export const PROMPT_OPERATIONS: readonly Operation[] = [
  {
    name: 'prompt list',
    does: 'Lists the sound files of a tenant.',
    arguments: ['domain'],
    example: 'carillon prompt list care.example',
    run: (client, given) => allFiles(client, given),
    list: ['files', 'name', 'size'],
  },
  {
    name: 'prompt show',
    does: 'Shows the address that opens a sound file for a while.',
    arguments: ['domain', 'name'],
    example: 'carillon prompt show care.example welcome.wav',
    run: (client, given) => client.call('getMediaserviceByDomainPromptfileByFilenameUrl', fileOf(given)),
  },
  {
    name: 'prompt create',
    does: 'Stores a sound file under a name.',
    arguments: ['domain', 'name'],
    options: [FROM],
    example: 'carillon prompt create care.example welcome.wav --from welcome.wav',
    run: put,
    sentence: (_, { name }) => `Stored ${name}.`,
  },
  {
    name: 'prompt edit',
    does: 'Replaces a sound file.',
    arguments: ['domain', 'name'],
    options: [FROM],
    example: 'carillon prompt edit care.example welcome.wav --from new.wav',
    run: put,
    sentence: (_, { name }) => `Replaced ${name}.`,
  },
  {
    name: 'prompt remove',
    does: 'Removes a sound file.',
    arguments: ['domain', 'name'],
    example: 'carillon prompt remove care.example welcome.wav',
    run: (client, given) => client.call('deleteMediaserviceByDomainPromptfileByFilename', fileOf(given)),
    sentence: (_, { name }) => `Removed ${name}.`,
  },
];
