import { exitCode, Stop } from '../../../exit-code.ts';
import type { Operation } from '../operation/operation.ts';

interface Receiver {
  readonly name: string;
}
interface Difference {
  readonly effect: 'refused' | 'dropped' | 'receiver' | 'changed' | 'taken';
  readonly before?: Receiver;
  readonly after?: Receiver;
  readonly fields: readonly string[];
  readonly alarms: number;
  readonly examples: readonly { readonly traceId: string }[];
}
interface Host {
  readonly siteId: string;
  readonly hostId: string;
}

/** Trials of drafts on the alarms that hosts have stored. */
export const TRIAL_OPERATIONS: readonly Operation[] = [
  {
    name: 'receiver try',
    does: 'Tries drafts of alarm receivers on the alarms of the last days: which would have reached another receiver, or none.',
    arguments: ['domain', '[id]'],
    options: [['--days <n>', 'alarms of so many days until now, 1 to 31 (default 31)']],
    example: 'carillon receiver try care.example 01j9z3n6t2v4q8w5x7y1b3c5d7 --days 7',
    run: (client, { domain = '', id, days }) =>
      client.call('postProvisioningConfigurationTryonhistory', {
        domain,
        body: {
          ...(id !== undefined && { alarmbridges: [id] }),
          ...(days !== undefined && { days: daysOf(days) }),
        },
      }),
    sentence: (answer) => trialText(answer as unknown as Parameters<typeof trialText>[0]),
  },
];

function daysOf(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 31) return days;
  throw new Stop(exitCode.wrongUse, `--days ${text} is refused: it must be a number from 1 to 31.`);
}

/** The answer as lines for a person: the sum, each difference with an example, and the hosts that are missing. */
export function trialText(trial: {
  readonly tried: number;
  readonly others: number;
  readonly cut: boolean;
  readonly differences: readonly Difference[];
  readonly missingHosts: readonly (Host & { readonly reason: string })[];
  readonly olderHosts: readonly Host[];
}): string {
  const changed = trial.differences.reduce((sum, { alarms }) => sum + alarms, trial.others);
  return [
    `${changed} of ${count(trial.tried)} would have taken another way or got another callback.`,
    ...trial.differences.map(lineOf),
    ...(trial.others > 0 ? [`Other differences: ${count(trial.others)}.`] : []),
    ...(trial.cut ? ['A host has more alarms than one trial looks at; the newest were tried.'] : []),
    ...trial.missingHosts.map(
      (host) => `${nameOf(host)} gave no answer, and its alarms are not counted: ${host.reason}`,
    ),
    ...trial.olderHosts.map(
      (host) => `${nameOf(host)} cannot try a draft, and its alarms are not counted: upgrade it.`,
    ),
  ].join('\n');
}

function lineOf({ effect, before, after, fields, alarms, examples }: Difference): string {
  const from = before?.name ?? '';
  const to = after?.name ?? '';
  const sentences: Readonly<Record<Difference['effect'], string>> = {
    refused: `would have been refused, and not taken by ${from}`,
    dropped: `would have been dropped by the event map of ${to}`,
    receiver: `would have reached ${to} instead of ${from}`,
    changed: `would have got another callback from ${to}`,
    taken: `would have been taken by ${to}, and no receiver takes them today`,
  };
  const members = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
  const example = examples[0] === undefined ? '' : ` For example ${examples[0].traceId}.`;
  return `${count(alarms)} ${sentences[effect]}${members}.${example}`;
}

const count = (alarms: number): string => (alarms === 1 ? '1 alarm' : `${alarms} alarms`);
const nameOf = ({ siteId, hostId }: Host): string => `${siteId}/${hostId}`;
