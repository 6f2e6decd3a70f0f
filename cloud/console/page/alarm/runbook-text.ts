/** A part of a line: plain, as code, or emphasised. */
export interface Piece {
  readonly kind: 'text' | 'code' | 'strong' | 'emphasis';
  readonly text: string;
}

/** A part of a runbook, in the subset of Markdown that runbooks use. */
export type Block =
  | { readonly kind: 'heading'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'paragraph'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Piece[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Piece[])[])[] };

const PIECE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*/g;
const ITEM = /^(?:-|(\d+)\.) (.*)$/;

/** The pieces of a line, in order. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of line.matchAll(PIECE)) {
    if (found.index > end) pieces.push({ kind: 'text', text: line.slice(end, found.index) });
    const [whole, code, strong, emphasis] = found;
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (strong !== undefined) pieces.push({ kind: 'strong', text: strong });
    else pieces.push({ kind: 'emphasis', text: emphasis ?? '' });
    end = found.index + whole.length;
  }
  if (end < line.length) pieces.push({ kind: 'text', text: line.slice(end) });
  return pieces;
}

/** The blocks of a runbook without its title, which is the name of the alarm. */
export function blocksOf(markdown: string): Block[] {
  return markdown
    .replace(/^# .*\n/, '')
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => blockOf(part.split('\n')));
}

function blockOf(lines: readonly string[]): Block {
  const [first = ''] = lines;
  if (first.startsWith('#')) return { kind: 'heading', pieces: piecesOf(first.replace(/^#+ /, '')) };
  if (first.startsWith('|')) return { kind: 'table', rows: lines.filter((line) => !isRule(line)).map(cells) };
  if (ITEM.test(first))
    return { kind: 'list', isOrdered: /^\d/.test(first), items: items(lines).map(piecesOf) };
  return { kind: 'paragraph', pieces: piecesOf(lines.join(' ')) };
}

const isRule = (line: string): boolean => /^\|[-| :]+\|$/.test(line);

const cells = (line: string): Piece[][] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => piecesOf(cell.trim()));

/** A line that begins no item goes on with the one before. */
function items(lines: readonly string[]): string[] {
  const found: string[] = [];
  for (const line of lines) {
    const text = ITEM.exec(line.trim())?.[2];
    if (text === undefined) found.push(`${found.pop() ?? ''} ${line.trim()}`);
    else found.push(text);
  }
  return found;
}
