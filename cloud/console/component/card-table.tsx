import type { CSSProperties, ReactNode } from 'react';
import { Head } from './head.tsx';

/**
 * A table whose rows stand as cards where it has no room. The head is away then: the style shows the title of its column beside each value
 * but the first, which names the row.
 */
export function CardTable(props: {
  readonly columns: readonly string[];
  /** There is a last column of buttons. */
  readonly acts?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const { columns, acts = false, className = '', children } = props;
  const titles = Object.fromEntries(
    columns.map((title, index) => [`--title-${index + 1}`, JSON.stringify(title)]),
  );
  return (
    <table className={`cards ${className}`.trim()} style={titles as CSSProperties}>
      <Head columns={columns} acts={acts} />
      {children}
    </table>
  );
}
