import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { RECORD_EXPORT_FORMATS, type RecordExportJob } from '#shared/contract/session-record/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { findLogin, type Login } from './login.ts';
import type { Given } from './operation/operation.ts';
import { filterOf, RECORD_FILTERS } from './record-table.ts';
import type { Terminal } from './terminal.ts';

/** `carillon record export`: the records that fit, as a file or on the standard output. */
export function recordExportCommand(record: Command, { environment, say }: Terminal): void {
  const command = record
    .command('export')
    .description(
      'Writes the sessions of a tenant to a file, newest first. Each export stands in the audit log.',
    )
    .argument('<domain>')
    .addOption(
      new Option('--format <format>', 'form of the file').choices(RECORD_EXPORT_FORMATS).default('csv'),
    )
    .option('--out <file>', 'file to write (default: the standard output)');
  for (const [flag, meaning] of RECORD_FILTERS) command.option(flag, meaning);
  command
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .addHelpText(
      'after',
      '\nExample:\n  carillon record export care.example --from 2026-11-01T00:00:00Z --kind alarm --out alarms.csv',
    )
    .action(async (domain: string, flags: Given) => {
      const login = findLogin(environment, {
        ...(flags.cloud === undefined ? {} : { cloud: flags.cloud }),
        ...(flags.token === undefined ? {} : { token: flags.token }),
      });
      const { from, to, ...filter } = filterOf(flags);
      const range = { ...(from && { from: Number(from) }), ...(to && { to: Number(to) }) };
      const path = `/record/${encodeURIComponent(domain)}/export`;
      const started = await asked(login, path, { ...filter, ...range, format: flags.format });
      const { job } = (await started.json()) as { job: RecordExportJob };
      const { body } = await asked(login, job.path);
      if (body === null) throw new Stop(exitCode.tryAgain, `The file of ${login.cloud} is empty. Try again.`);
      const { out } = flags;
      await pipeline(body, out === undefined ? lines(say) : createWriteStream(out, { mode: 0o600 })).catch(
        (cause: unknown) => {
          throw new Stop(
            exitCode.tryAgain,
            `The export is not complete: ${String(cause)}. Start it again${out === undefined ? '' : `; ${out} has a part of it`}.`,
          );
        },
      );
      if (out !== undefined) say(`Wrote ${out}.`);
    });
}

/** A request to the control plane: a POST with a body, else a GET. Stops where it is refused. */
async function asked({ cloud, token }: Login, path: string, body?: object): Promise<Response> {
  const answer = await fetch(`${cloud}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Stop(exitCode.tryAgain, `The control plane does not answer at ${cloud}: ${String(cause)}.`);
  });
  if (answer.ok) return answer;
  const { reason } = (await answer.json().catch(() => ({}))) as { reason?: string };
  throw new Stop(exitCode.refused, reason ?? `The control plane answered ${answer.status}.`);
}

/** Lines for the terminal, however the bytes are cut. */
function lines(say: Terminal['say']): Writable {
  const decoder = new TextDecoder();
  let rest = '';
  return new Writable({
    write: (bytes: Uint8Array, _, done) => {
      const parts = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) say(part.replace(/\r$/, ''));
      done();
    },
    final: (done) => {
      if (rest !== '') say(rest);
      done();
    },
  });
}
