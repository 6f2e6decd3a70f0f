import { runbooks } from 'virtual:runbook';
import { Trans } from '@lingui/react/macro';
import { runbookOf } from '../../component/wording/incident-words.ts';
import { type Block, blocksOf, type Piece } from './runbook-text.ts';

/** The runbook of an error, read in place; nothing where there is none. */
export function Runbook({ error }: { readonly error: string }) {
  const text = runbooks[runbookOf(error)];
  if (text === undefined) return null;
  return (
    <details className="runbook" open>
      <summary>
        <Trans>Runbook</Trans>
      </summary>
      <div lang="en">
        {blocksOf(text).map((block, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
          <Part key={index} block={block} />
        ))}
      </div>
    </details>
  );
}

function Part({ block }: { readonly block: Block }) {
  if (block.kind === 'heading')
    return (
      <h4>
        <Line pieces={block.pieces} />
      </h4>
    );
  if (block.kind === 'paragraph')
    return (
      <p>
        <Line pieces={block.pieces} />
      </p>
    );
  if (block.kind === 'list') {
    const items = block.items.map((pieces) => (
      <li key={pieces.map(({ text }) => text).join('')}>
        <Line pieces={pieces} />
      </li>
    ));
    return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
  }
  return (
    <table className="small">
      <tbody>
        {block.rows.map((row) => (
          <tr
            key={row
              .flat()
              .map(({ text }) => text)
              .join('')}
          >
            {row.map((pieces) => (
              <td key={pieces.map(({ text }) => text).join('')}>
                <Line pieces={pieces} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Line = ({ pieces }: { readonly pieces: readonly Piece[] }) =>
  pieces.map(({ kind, text }, index) => {
    const key = `${index} ${text}`;
    if (kind === 'code') return <code key={key}>{text}</code>;
    if (kind === 'strong') return <strong key={key}>{text}</strong>;
    return kind === 'emphasis' ? <em key={key}>{text}</em> : text;
  });
