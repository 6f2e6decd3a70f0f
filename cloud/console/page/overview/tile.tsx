import type { ReactNode } from 'react';

/** One figure with its name, how well it is, and what it is made of. */
export function Tile(props: {
  readonly name: string;
  readonly figure: ReactNode;
  readonly tone?: 'good' | 'warn' | 'bad';
  readonly children?: ReactNode;
}) {
  const { name, figure, tone = '', children } = props;
  return (
    <section className={`tile ${tone}`}>
      <h2>{name}</h2>
      <p className="figure">{figure}</p>
      {children}
    </section>
  );
}
