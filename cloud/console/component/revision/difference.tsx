import { Trans, useLingui } from '@lingui/react/macro';
import type { ObjectKind } from '../../client/name.ts';
import { Head } from '../head.tsx';
import { ObjectLink } from '../object-link.tsx';
import { Actor } from './actor.tsx';

interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Changes field by field; `titles`: of the two sides, absent: before and after. */
export function Differences(props: {
  readonly of: readonly Change[];
  readonly titles?: readonly [string, string];
}) {
  const { t } = useLingui();
  const [before, after] = props.titles ?? [t`Before`, t`After`];
  return (
    <table className="small diff">
      <Head columns={[t`Field`, before, after]} />
      <tbody>
        {props.of.map((each) => (
          <tr key={each.path}>
            <td>
              <code>{each.path}</code>
            </td>
            <td>
              <Shown path={each.path} value={each.before} />
            </td>
            <td>
              <Shown path={each.path} value={each.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Fields whose value is the id of an object, by the last part of their path. */
const REFERENCES: Readonly<Record<string, ObjectKind>> = {
  alarmEventMapperId: 'sender',
  siteId: 'site',
  deviceId: 'device',
};

/** A value as the API spells it; the id of another object is a link with its name. */
function Shown({ path, value }: { readonly path: string; readonly value: unknown }) {
  if (value === undefined)
    return (
      <span className="dim">
        <Trans>none</Trans>
      </span>
    );
  const field = path.slice(path.lastIndexOf('/') + 1);
  const kind = REFERENCES[field];
  if (typeof value === 'string' && kind !== undefined) return <ObjectLink kind={kind} id={value} />;
  if (typeof value === 'string' && field === 'maker') return <Actor of={value} />;
  return <code>{JSON.stringify(value)}</code>;
}
