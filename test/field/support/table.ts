/** How one input of a suite went. */
export interface Row {
  readonly name: string;
  readonly verdict: 'as expected' | 'differs' | 'not applicable';
  /** The answer of the appliance, in a few words. */
  readonly answer: string;
  /** Why it differs, or why it does not apply. */
  readonly reason?: string;
}

/** Prints a row for each input, then the counts that `README.md` quotes. */
export function printTable(rows: readonly Row[]): void {
  for (const { name, verdict, answer, reason } of rows)
    console.log(`| ${name} | ${verdict} | ${answer} |${reason === undefined ? '' : ` ${reason} |`}`);
  const count = (verdict: Row['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  console.log(
    `${rows.length} inputs: ${count('as expected')} as expected, ${count('differs')} differ, ` +
      `${count('not applicable')} not applicable`,
  );
}
