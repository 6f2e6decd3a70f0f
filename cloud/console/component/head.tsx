import { Trans } from '@lingui/react/macro';
/** The head of a table; `acts` for a last column of buttons, whose name is for those who hear the page. */
export function Head({ columns, acts = false }: { columns: readonly string[]; acts?: boolean }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
        {acts && (
          <th scope="col">
            <span className="unseen">
              <Trans>Act</Trans>
            </span>
          </th>
        )}
      </tr>
    </thead>
  );
}
