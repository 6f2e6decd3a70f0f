import { Trans, useLingui } from '@lingui/react/macro';
import { Head } from './head.tsx';

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
              <Shown value={each.before} />
            </td>
            <td>
              <Shown value={each.after} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Shown = ({ value }: { readonly value: unknown }) =>
  value === undefined ? (
    <span className="dim">
      <Trans>none</Trans>
    </span>
  ) : (
    <code>{JSON.stringify(value)}</code>
  );
