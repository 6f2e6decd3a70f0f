import type { ReactNode } from 'react';

/** A fact of an object in a `<dl>`: its name, and its value. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
