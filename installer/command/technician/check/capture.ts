import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCode, Stop } from '../../../exit-code.ts';
import { captureOf } from '../../../io/host/appliance-unit.ts';
import { layout } from '../../../plan/index.ts';
import { type CommonFlags, personOf, withCommonFlags } from '../terminal/person.ts';
import { configured, judged } from '../terminal/settings.ts';
import { mayRead } from './access.ts';

interface CaptureFlags extends CommonFlags {
  readonly trace?: string;
  readonly call?: readonly string[];
  readonly out?: string;
}

const OUT = 'capture.pcapng';
const APPLIANCE_LISTENER = { host: '127.0.0.1', port: 8443 };

/** `carillon capture`: the messages of a trace or of calls, as a file for Wireshark or as JSON. */
export function captureCommand(root: Command): void {
  withCommonFlags(root.command('capture').summary('messages of a trace, for Wireshark'))
    .description(
      'Writes the SIP messages, DC-09 frames and callbacks of a trace to a file. Secrets are replaced; numbers and texts are not.',
    )
    .option('--trace <id>', 'trace id of an alarm or a call')
    .option('--call <call-id...>', 'Call-ID of a SIP dialog')
    .option('-o, --out <file>', `where to write it: pcapng, or JSON where the name ends in .json`, OUT)
    .addHelpText('after', '\nExample:\n  carillon capture --trace 5b0c6f1e --out alarm.pcapng')
    .action(capture);
}

async function capture({ trace, call = [], out = OUT, ...flags }: CaptureFlags): Promise<void> {
  const person = personOf(flags);
  if (trace === undefined && call.length === 0)
    throw new Stop(exitCode.wrongUse, person.text('capture.unnamed'));
  const settings = judged(configured());
  const folder = settings.data ?? layout.state;
  mayRead(folder, person);
  const format = out.endsWith('.json') ? 'json' : 'pcapng';
  const query = new URLSearchParams([
    ['format', format],
    ...(trace === undefined ? [] : [['trace', trace] as [string, string]]),
    ...call.map((each): [string, string] => ['call', each]),
  ]);
  const answer = await captureOf(folder, settings.applianceHttp ?? APPLIANCE_LISTENER, query);
  if (answer === undefined) throw new Stop(exitCode.missing, person.text('capture.no-answer'));
  if (answer.status === 409) throw new Stop(exitCode.missing, person.text('capture.off'));
  if (answer.status !== 200)
    throw new Stop(exitCode.refused, person.text('capture.refused', { status: answer.status }));
  const file = resolve(out);
  try {
    writeFileSync(file, answer.bytes, { mode: 0o600 });
  } catch (cause) {
    throw new Stop(exitCode.disk, person.text('capture.not-written', { file, reason: String(cause) }));
  }
  const size = Math.ceil(answer.bytes.length / 1_024);
  person.record({ file, size });
  person.line(person.text('capture.done', { file, size }));
}
