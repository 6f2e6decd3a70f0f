import { Argument, type Command, Option } from 'commander';
import { exitCode, Stop } from '../exit-code.ts';
import { readFileOf, readJsonOf } from '../io/file/readable-file.ts';
import { bold, dim, red, say } from '../io/terminal/terminal.ts';
import { EXPLAINED, type ExplainedFrame, type ExplainedKind, type Programs } from '../program.ts';

const TONE_PROTOCOLS = ['bs8521', 'tt92', 'contactId', 'p100', 'cpc-antenna', 'twon-text'] as const;
const MOST_BYTES = 65_536;

interface Options {
  readonly json?: boolean;
  readonly key?: string;
  readonly protocol?: string;
  readonly profile?: string;
}

/** `carillon explain`: a frame taken apart. */
export function explainCommand(root: Command, programs: Programs): void {
  root
    .command('explain')
    .summary('a frame of an alarm protocol taken apart')
    .description(
      'Takes one frame of an alarm protocol apart: fields, check, the alarm event it means, warnings.',
    )
    .addArgument(new Argument('<kind>', 'what it is').choices(EXPLAINED))
    .argument('[file]', 'file with one frame or string; - or nothing: standard input', '-')
    .addOption(new Option('--key <hex>', 'dc09: AES key of an encrypted frame, 32, 48 or 64 hex digits'))
    .addOption(new Option('--protocol <name>', 'tone: read by this protocol').choices(TONE_PROTOCOLS))
    .option(
      '--profile <file>',
      'lacs, rb2000: JSON file with the content of the protocol profile of the receiver',
    )
    .option('--json', 'one JSON object {protocol, fields, check, alarmEvent, warnings}')
    .addHelpText(
      'after',
      '\nExamples:\n  carillon explain scaip examples/sample/scaip-alarm.xml\n  echo "A01001234567800010100000000#" | carillon explain tone',
    )
    .action((kind: ExplainedKind, file: string, options: Options) => explain(kind, file, options, programs));
}

async function explain(
  kind: ExplainedKind,
  file: string,
  { json, key, protocol, profile }: Options,
  programs: Programs,
): Promise<void> {
  if (key !== undefined && !/^(?:[0-9a-f]{32}|[0-9a-f]{48}|[0-9a-f]{64})$/i.test(key))
    throw new Stop(exitCode.wrongUse, '--key must be 32, 48 or 64 hex digits.');
  const read = await programs.explain(kind, contentOf(file), {
    ...(key !== undefined && { key: Buffer.from(key, 'hex') }),
    ...(protocol !== undefined && { protocol }),
    ...(profile !== undefined && { profile: readJsonOf(profile) }),
  });
  if (!read.ok) {
    const { reason } = read.error;
    throw new Stop(exitCode.damagedFile, `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`);
  }
  if (json === true) say(JSON.stringify(read.value));
  else show(read.value);
}

function show({ protocol, fields, check, alarmEvent, alarmEvents, warnings }: ExplainedFrame): void {
  say(bold(protocol));
  table('fields', fields);
  table('check', check);
  if (alarmEvent === null) say(dim('no alarm event'));
  for (const event of alarmEvents ?? (alarmEvent === null ? [] : [alarmEvent])) table('alarm event', event);
  for (const warning of warnings) say(red(`warning: ${warning}`));
}

function table(title: string, values: object): void {
  const rows = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  say(dim(title));
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  for (const [name, value] of rows)
    say(`  ${name.padEnd(width)}  ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
}

function contentOf(file: string): Uint8Array {
  const content = readFileOf(file);
  if (content.length > MOST_BYTES)
    throw new Stop(exitCode.damagedFile, `${file} is larger than 64 KiB; name a file with one frame.`);
  return content;
}
