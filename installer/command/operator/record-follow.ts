import type { Command } from 'commander';
import type { ShownRecord } from '#shared/contract/session-record/index.ts';
import { noAnswerReason } from '#shared/http/index.ts';
import { exitCode, Stop } from '../../exit-code.ts';
import { eventsIn } from './event-stream.ts';
import { findLogin } from './login.ts';
import type { Terminal } from './terminal.ts';

interface Flags {
  readonly cloud?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** `carillon record follow`: one line for each record as it arrives, until Ctrl-C. */
export function recordFollowCommand(record: Command, { environment, say, over }: Terminal): void {
  record
    .command('follow')
    .description('Shows the records of a tenant as they arrive, until it is stopped.')
    .argument('<domain>')
    .option('--cloud <url>', 'base URL of the cloud (default: CARILLON_CLOUD, or that of the login)')
    .option('--token <token>', 'API token or JWT (default: CARILLON_TOKEN, or that of the login)')
    .option('--json', 'one JSON object for each line')
    .addHelpText('after', '\nExample:\n  carillon record follow care.example')
    .action(async (domain: string, flags: Flags) => {
      const { cloud, token } = findLogin(environment, {
        ...(flags.cloud === undefined ? {} : { cloud: flags.cloud }),
        ...(flags.token === undefined ? {} : { token: flags.token }),
      });
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      const path = `${cloud}/record/${encodeURIComponent(domain)}/stream`;
      const answer = await fetch(path, { headers, signal: over ?? null }).catch((cause: unknown) => {
        throw new Stop(
          exitCode.tryAgain,
          `The control plane does not answer at ${cloud}: ${noAnswerReason(cause)}.`,
        );
      });
      if (!answer.ok || answer.body === null) {
        const { reason } = (await answer.json().catch(() => ({}))) as { reason?: string };
        throw new Stop(exitCode.refused, reason ?? `The control plane answered ${answer.status}.`);
      }
      try {
        for await (const { event, data } of eventsIn(answer.body)) {
          if (event === 'reset') say('Records were missed: carillon record list shows them.');
          else if (event === 'record')
            say(flags.json === true ? data : lineOf(JSON.parse(data) as ShownRecord));
        }
      } catch (cause) {
        if (over?.aborted === true) return;
        throw new Stop(
          exitCode.tryAgain,
          `The stream of ${cloud} was lost: ${noAnswerReason(cause)}. Start again.`,
        );
      }
      if (over?.aborted !== true)
        throw new Stop(exitCode.tryAgain, `The control plane at ${cloud} ended the stream. Start again.`);
    });
}

const lineOf = ({ at, kind, result, siteId, hostId, deviceId, from, to, recordId }: ShownRecord): string =>
  [
    ...[new Date(at).toISOString(), kind.padEnd(14), result.padEnd(11), `${siteId}/${hostId}`],
    ...[deviceId ?? from ?? '-', to ?? '-', recordId],
  ].join('  ');
