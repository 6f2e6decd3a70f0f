import type { ReactNode } from 'react';

/**
 * In place of an empty list: what stands here, why it is empty, the button that fills it, and the command that does the same.
 */
export function EmptyState(props: {
  readonly title: string;
  /** One or two sentences: what this is, and why there is none. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** A command of the command line, or a request to the API. */
  readonly command?: string;
}) {
  const { title, children, action, command } = props;
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="empty-text">{children}</div>
      {action}
      {command !== undefined && (
        <pre className="empty-command">
          <code>{command}</code>
        </pre>
      )}
    </div>
  );
}
