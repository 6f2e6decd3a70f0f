import type { MouseEvent, ReactNode } from 'react';
import { go, linkTo } from '../client/route.ts';

/** A link to a page of the console; it is opened in place, and elsewhere when a person wants it elsewhere. */
export function PageLink(props: {
  readonly page: string;
  readonly rest?: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly title?: string;
  readonly current?: boolean;
}) {
  const { page, rest = '', className, title, current = false, children } = props;
  return (
    <a
      href={linkTo(page, rest)}
      className={className}
      title={title}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => openInPlace(event, page, rest)}
    >
      {children}
    </a>
  );
}

/** Goes to the page of a link that is pressed, without loading the console again; a press with a modifier is left to the browser. */
export function openInPlace(event: MouseEvent, page: string, rest?: string): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(page, rest);
}
