import { useLingui } from '@lingui/react/macro';
import { csvText } from '#shared/contract/record/index.ts';
import { Act } from '../act.tsx';
import { saveFile } from '../save-file.ts';
import type { ListColumn } from './list-column.ts';
import type { ReadPage } from './use-window.ts';

/** A browser holds the file in memory; whoever needs more asks the API. */
const MOST_ROWS = 100_000;

/** Saves every row of the question as CSV, with the columns that are shown: not only the rows on the screen. */
export function Export<Row>(props: {
  readonly name: string;
  readonly columns: readonly ListColumn<Row>[];
  readonly read: ReadPage<Row>;
}) {
  const { t } = useLingui();
  const save = async () => {
    const rows: Row[] = [];
    let token: string | undefined;
    do {
      const answer = await props.read(token);
      if (!answer.ok) return answer;
      rows.push(...answer.value.items);
      token = answer.value.nextToken;
    } while (token !== undefined && rows.length < MOST_ROWS);
    const lines = rows.map((row) => props.columns.map(({ text }) => text(row)));
    saveFile(csvText([props.columns.map(({ title }) => title), ...lines]), `${props.name}-${today()}.csv`);
    return { ok: true as const, value: null };
  };
  return <Act plain label={t`Export`} run={save} />;
}

const today = (): string => new Date().toISOString().slice(0, 10);
