import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Head } from '../head.tsx';
import { contested, merged } from './conflict.ts';
import type { Values } from './schema.ts';

/** Another person has saved meanwhile: field by field, whose value stays. Nothing of either is lost without a choice. */
export function ConflictChoice(props: {
  readonly before: Values;
  readonly mine: Values;
  readonly theirs: Values;
  readonly choose: (values: Values) => void;
}) {
  const { before, mine, theirs, choose } = props;
  const { t } = useLingui();
  const fields = contested(before, mine, theirs);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(fields.filter(({ isConflict }) => isConflict).map(({ path }) => path)),
  );
  const turn = (path: string, isMine: boolean): void => {
    const next = new Set(chosen);
    if (isMine) next.add(path);
    else next.delete(path);
    setChosen(next);
  };
  return (
    <section>
      <h2>
        <Trans>Another person has changed this meanwhile</Trans>
      </h2>
      <p>
        <Trans>Fields that only one of you has changed are joined. Choose for the others.</Trans>
      </p>
      <table className="small diff">
        <Head columns={[t`Field`, t`Before`, t`Yours`, t`Theirs`]} />
        <tbody>
          {fields.map((field) => (
            <tr key={field.path} className={field.isConflict ? 'named' : ''}>
              <td>
                <code>{field.path}</code>
              </td>
              <td>{shown(field.before)}</td>
              {(['mine', 'theirs'] as const).map((side) => (
                <td key={side}>
                  {field.isConflict ? (
                    <label className="check">
                      <input
                        type="radio"
                        name={field.path}
                        checked={chosen.has(field.path) === (side === 'mine')}
                        onChange={() => turn(field.path, side === 'mine')}
                      />{' '}
                      {shown(field[side])}
                    </label>
                  ) : (
                    shown(field[side])
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="form-acts">
        <button type="button" onClick={() => choose(merged(theirs, fields, chosen))}>
          <Trans>Go on with these</Trans>
        </button>
        <button type="button" className="plain" onClick={() => choose(theirs)}>
          <Trans>Take all of theirs</Trans>
        </button>
      </p>
    </section>
  );
}

const shown = (value: unknown) =>
  value === undefined ? <span className="dim">–</span> : <code>{JSON.stringify(value)}</code>;
