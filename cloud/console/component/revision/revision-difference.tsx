import { Trans, useLingui } from '@lingui/react/macro';
import type { Operations } from '#shared/client/index.ts';
import { fieldChanges } from '../../text/field-change.ts';
import { Ago } from '../age.tsx';
import { Head } from '../head.tsx';
import { scopeWord } from './scope-words.ts';

export type Changed = Operations['getSiteByDomainBySiteIdHostByHostIdDiff']['answer']['changes'][number];

/** Longer ones are cut: who wants all of it reads the resource itself. */
const LONGEST = 200;

const shown = (value: unknown): string => {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** The present and the offered values of the host, field by field; fields that it named when it refused stand out. */
export function Difference(props: {
  readonly changes: readonly Changed[];
  /** JSON pointers that a refusal names, `/<entity>/<id>/<field>`. */
  readonly named: readonly string[];
  /** Names of the two states; absent: of a host and its offer. */
  readonly titles?: readonly [before: string, after: string];
}) {
  if (props.changes.length === 0)
    return (
      <p className="dim">
        <Trans>Nothing differs any more.</Trans>
      </p>
    );
  return (
    <>
      {props.changes.map((change) => (
        <Entity
          key={`${change.scope} ${change.entity} ${change.id}`}
          change={change}
          named={props.named}
          titles={props.titles}
        />
      ))}
    </>
  );
}

function Entity(props: {
  readonly change: Changed;
  readonly named: readonly string[];
  readonly titles: readonly [before: string, after: string] | undefined;
}) {
  const { t } = useLingui();
  const { change, named, titles = [t`The host has`, t`It would have`] } = props;
  const { scope, revision, entity, id, op, at, hidden, before, after, refused } = change;
  const fields = hidden === true || op === 'delete' ? [] : fieldChanges(before, after);
  const root = `/${entity}/${id}`;
  return (
    <details open={refused}>
      <summary>
        {t(scopeWord(scope))} {revision}:{' '}
        {op === 'delete' ? t`delete` : before === undefined ? t`new` : t`change`} {entity} <code>{id}</code>{' '}
        <span className="dim">
          <Ago at={at} />
        </span>{' '}
        {refused && (
          <span className="label warn">
            <Trans>refused</Trans>
          </span>
        )}
      </summary>
      {hidden === true && (
        <p className="dim">
          <Trans>It holds keys and is not shown.</Trans>
        </p>
      )}
      {fields.length > 0 && (
        <table className="small diff">
          <Head columns={[t`Field`, ...titles]} />
          <tbody>
            {fields.map(({ path, before: was, after: is }) => {
              const isNamed = named.some(
                (each) => each === `${root}${path}` || `${root}${path}`.startsWith(`${each}/`),
              );
              return (
                <tr key={path} className={isNamed ? 'named' : ''}>
                  <td>
                    <code>{path}</code>{' '}
                    {isNamed && (
                      <span className="label warn">
                        <Trans>refused</Trans>
                      </span>
                    )}
                  </td>
                  <td>{shown(was)}</td>
                  <td>{shown(is)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </details>
  );
}
