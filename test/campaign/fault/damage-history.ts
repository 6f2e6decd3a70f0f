import type { Verdict } from '#test/support/site-history.ts';

/** One damage of one store, and the start behind it. */
export interface DamageRound {
  readonly name: string;
  /** References acknowledged before the damage, and those that came to the application in the end. */
  readonly acknowledged: readonly string[];
  readonly arrived: ReadonlySet<string>;
  /** Platform alarms that speak of a damaged store since the start. */
  readonly damageAlarms: number;
  /** Why the program could not be started; undefined: it was. */
  readonly notStarted: string | undefined;
  /** Alarms of known devices after the start, and those of them that were acknowledged. */
  readonly after: { readonly sent: number; readonly acknowledged: number };
}

/** Damage is salvaged and reported: the program starts, takes alarms, and a person hears of every acknowledged alarm that is lost. */
export function judgeDamage(rounds: readonly DamageRound[]): Verdict {
  const lostOf = ({ acknowledged, arrived }: DamageRound): number =>
    acknowledged.filter((reference) => !arrived.has(reference)).length;
  const violations: string[] = [];
  for (const round of rounds) {
    const { name, damageAlarms, notStarted, after } = round;
    const lost = lostOf(round);
    if (notStarted !== undefined) violations.push(`${name}: the program did not start: ${notStarted}`);
    if (lost > 0 && damageAlarms === 0)
      violations.push(`${name}: ${lost} acknowledged alarms were lost, and no person was told`);
    if (notStarted === undefined && after.acknowledged < after.sent)
      violations.push(
        `${name}: ${after.sent - after.acknowledged} of ${after.sent} alarms after the start were not taken`,
      );
  }
  const acknowledged = rounds.reduce((sum, round) => sum + round.acknowledged.length, 0);
  if (acknowledged === 0) violations.push('no alarm was acknowledged before the damage: nothing was proven');
  const silent = rounds.filter(({ damageAlarms }) => damageAlarms === 0);
  return {
    figures: {
      damages: rounds.length,
      acknowledged,
      lost: rounds.reduce((sum, round) => sum + lostOf(round), 0),
      'lost in silence': silent.reduce((sum, round) => sum + lostOf(round), 0),
      'told of damage': rounds.filter(({ damageAlarms }) => damageAlarms > 0).length,
    },
    violations,
  };
}
