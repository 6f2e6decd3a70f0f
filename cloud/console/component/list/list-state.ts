/** Times that a list offers, in ms back from now. */
const SPANS = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
} as const;
export type Span = keyof typeof SPANS;

/** The state of a list. All of it stands in the address, so that a link shows the same list to another person. */
export interface ListState {
  /** Values of the filters by name; a filter that is not set is absent. */
  readonly filters: Readonly<Record<string, string>>;
  /** Epoch ms; a span moves with the time. */
  readonly from?: number;
  readonly to?: number;
  readonly span?: Span;
  /** Ids of the columns that are shown, in their order; absent: those of the list. */
  readonly columns?: readonly string[];
}

/** The state that the parameters of an address say. Parameters of panels, which a page knows itself, are not filters. */
export function stateOf(search: Readonly<Record<string, string>>, filters: readonly string[]): ListState {
  const { from, to, span, columns } = search;
  const given = filters.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return {
    filters: Object.fromEntries(given),
    ...(isSpan(span) ? { span } : { ...moment('from', from), ...moment('to', to) }),
    ...(columns === undefined ? {} : { columns: columns.split(',').filter(Boolean) }),
  };
}

/** The moments that a state asks for, in epoch ms; a span ends now. */
export const momentsOf = ({ span, from, to }: ListState, nowMs: number): Pick<ListState, 'from' | 'to'> =>
  span === undefined
    ? { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    : { from: nowMs - SPANS[span] };

const isSpan = (word: string | undefined): word is Span => word !== undefined && word in SPANS;

function moment(name: 'from' | 'to', text: string | undefined): Partial<Record<'from' | 'to', number>> {
  const ms = Number(text);
  return text === undefined || text === '' || !Number.isFinite(ms) ? {} : { [name]: ms };
}
