import type { Verdict } from '#test/support/site-history.ts';

/** One damage of the control plane's database, and the start behind it. */
export interface DatabaseRound {
  readonly name: string;
  /** SQLite itself finds the damaged copy faulty, or with fewer rows. */
  readonly isDamaged: boolean;
  /** Why the program refused to start; undefined: it started. */
  readonly refused: string | undefined;
  /** Configured rows that were there before the damage and are not there after the start. */
  readonly lost: number;
  /** Active alarms `storageDamaged` of the deployment after the start. */
  readonly damageAlarms: number;
  /** Alarms of devices meanwhile, and those of them that were acknowledged. */
  readonly site: { readonly sent: number; readonly acknowledged: number };
}

/** A refusal that a person can act on: the file, and the command that follows the return of a backup. */
const REFUSAL = /cloud\.db\S* is damaged.*mark-restored/s;

/** A control plane goes on with every row and says what it has met, or does not go on; sites work in both cases. */
export function judgeDatabase(rounds: readonly DatabaseRound[]): Verdict {
  const violations: string[] = [];
  for (const { name, isDamaged, refused, lost, damageAlarms, site } of rounds) {
    if (refused !== undefined && !REFUSAL.test(refused))
      violations.push(`${name}: the start was refused without what to do: ${refused}`);
    if (lost > 0) violations.push(`${name}: the control plane went on without ${lost} configured rows`);
    if (isSilent({ isDamaged, refused, damageAlarms }))
      violations.push(`${name}: the control plane went on with a damaged database, and no alarm said so`);
    if (site.acknowledged < site.sent)
      violations.push(
        `${name}: ${site.sent - site.acknowledged} of ${site.sent} alarms of devices were not taken`,
      );
  }
  if (!rounds.some(({ isDamaged }) => isDamaged)) violations.push('nothing was damaged: nothing was proven');
  return {
    figures: {
      damages: rounds.filter(({ isDamaged }) => isDamaged).length,
      'went on with every row': rounds.filter(({ refused, lost }) => refused === undefined && lost === 0)
        .length,
      'refused with what to do': rounds.filter(
        ({ refused }) => refused !== undefined && REFUSAL.test(refused),
      ).length,
      'damaged in silence': rounds.filter(isSilent).length,
      'rows lost': rounds.reduce((sum, { lost }) => sum + lost, 0),
    },
    violations,
  };
}

const isSilent = ({
  isDamaged,
  refused,
  damageAlarms,
}: Pick<DatabaseRound, 'isDamaged' | 'refused' | 'damageAlarms'>): boolean =>
  isDamaged && refused === undefined && damageAlarms === 0;
