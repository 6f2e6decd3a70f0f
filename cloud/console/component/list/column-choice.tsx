import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { type ListColumn, shownColumns } from './list-column.ts';

/** Which columns are shown; the choice stands in the address. */
export function ColumnChoice<Row>(props: {
  readonly columns: readonly ListColumn<Row>[];
  readonly named: readonly string[] | undefined;
  readonly onChange: (columns: readonly string[] | undefined) => void;
}) {
  const { columns, named, onChange } = props;
  const { t } = useLingui();
  const shown = new Set(shownColumns(columns, named).map(({ id }) => id));
  const turn = (id: string): void => {
    const next = columns.filter((column) => (column.id === id ? !shown.has(id) : shown.has(column.id)));
    if (next.length > 0) onChange(next.map((column) => column.id));
  };
  return (
    <DialogTrigger>
      <Button className="plain">
        <Trans>Columns</Trans>
      </Button>
      <Popover className="popover" placement="bottom end">
        <Dialog aria-label={t`Columns`}>
          {columns.map(({ id, title }) => (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={shown.has(id)}
                disabled={shown.size === 1 && shown.has(id)}
                onChange={() => turn(id)}
              />{' '}
              {title}
            </label>
          ))}
          {named !== undefined && (
            <button type="button" className="link" onClick={() => onChange(undefined)}>
              <Trans>Usual columns</Trans>
            </button>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
