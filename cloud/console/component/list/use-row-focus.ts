import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Heights } from './use-viewport.ts';
import { rowOfKey, scrollTopFor } from './viewport.ts';

/** Parts of a row that a person presses for themselves; the link behind the row is none of them. */
const STOPS = 'a[href]:not(.row-link), button, input, select, textarea, summary';
const ROW = '[data-index]';

type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;
/** As a browser takes it for a link that is to be opened in a tab behind this one, on each system. */
const BEHIND: Modifiers = { ctrlKey: true, metaKey: true, shiftKey: false, altKey: false };

/**
 * Keyboard and pointer of rows in `box`, handled there for all of them: arrows, Home, End and pages move from row to row, left and right
 * among the links of a row, Enter opens it, and Tab leaves. The row that was focused last is `kept` (its index; -1: none): Tab comes back
 * to it. `end` stands behind the box, for Tab to leave from there and to come back to.
 */
export function useRowFocus<Row>(
  box: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { rowHeight, headingHeight }: Heights,
) {
  const end = useRef<HTMLSpanElement>(null);
  const [key, setKey] = useState<string>();
  const state = useRef({ isLeaving: false, isWithin: false });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same rows have the same keys
  const kept = useMemo(
    () => (key === undefined ? -1 : rows.findIndex((row) => keyOf(row) === key)),
    [rows, key],
  );

  /** Puts the focus there, and leaves it to the browser what is next to it. */
  const rest = (on: HTMLElement | null): void => {
    state.current.isLeaving = true;
    on?.focus({ preventScroll: true });
    state.current.isLeaving = false;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows alone can take the focused one away
  useLayoutEffect(() => {
    if (state.current.isWithin && document.activeElement === document.body) rest(box.current);
  }, [rows]);

  const measures = () => {
    const { scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    return { scrollTop, height: clientHeight - headingHeight, rowHeight };
  };
  const goTo = (index: number): void => {
    const row = rows[index];
    if (row === undefined || box.current === null) return;
    // The row is drawn before it takes the focus, wherever it is.
    flushSync(() => setKey(keyOf(row)));
    box.current.scrollTop = scrollTopFor(index, measures());
    box.current.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  };
  const firstInSight = (): number => Math.min(Math.ceil(measures().scrollTop / rowHeight), rows.length - 1);
  const enter = (): void => {
    if (!state.current.isLeaving) goTo(kept === -1 ? firstInSight() : kept);
  };

  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    const { target, currentTarget } = event;
    if (!isInside(event)) return;
    state.current.isWithin = true;
    const row = rows[indexOf(target) ?? -1];
    if (row !== undefined) setKey(keyOf(row));
    // A press on the heading is no wish for a row.
    else if (target === currentTarget && currentTarget.matches(':focus-visible')) enter();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void => {
    state.current.isWithin = currentTarget.contains(relatedTarget);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target } = event;
    if (!isInside(event)) return;
    // The links of rows are no stops of Tab: of hundreds of rows no person would come out.
    if (event.key === 'Tab') rest(event.shiftKey ? box.current : end.current);
    const row = rowOf(target);
    if (event.key === 'Enter' && row === target) openRow(row, event);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(measures().height / rowHeight) - 1);
    const from = indexOf(target) ?? (kept === -1 ? firstInSight() - 1 : kept);
    const to = rowOfKey(event.key, from, rows.length, page);
    const beside = row === undefined ? undefined : besideOf(row, target as Element, event.key);
    if (to === undefined && beside === undefined) return;
    event.preventDefault();
    if (to === undefined) beside?.focus();
    else goTo(to);
  };
  const onMouseDown = (event: MouseEvent<HTMLElement>): void => {
    if (!(event.target as Element).matches('.row-link')) return;
    // The row takes the focus, and not its link, which no reader of the screen knows.
    event.preventDefault();
    rowOf(event.target)?.focus({ preventScroll: true });
  };
  /** A press on a text that lies over the link of its row. */
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    if (isOnRow(event)) openRow(rowOf(event.target), event);
  };
  const onAuxClick = (event: MouseEvent<HTMLElement>): void => {
    if (event.button === 1 && isOnRow(event)) openRow(rowOf(event.target), BEHIND);
  };
  return {
    kept,
    keptKey: key,
    end,
    enter,
    handlers: { onFocus, onBlur, onKeyDown, onMouseDown, onClick, onAuxClick },
  };
}

interface Targets {
  readonly target: EventTarget;
  readonly currentTarget: HTMLElement;
}

/** React tells a component of what happens in its popovers too, which stand elsewhere in the page. */
const isInside = ({ target, currentTarget }: Targets): boolean => currentTarget.contains(target as Node);

const rowOf = (target: EventTarget): HTMLElement | undefined =>
  (target as Element).closest<HTMLElement>(ROW) ?? undefined;

function indexOf(target: EventTarget): number | undefined {
  const { index } = rowOf(target)?.dataset ?? {};
  return index === undefined ? undefined : Number(index);
}

const isOnRow = (event: MouseEvent<HTMLElement>): boolean =>
  isInside(event) && (event.target as Element).closest(`.row-link, ${STOPS}`) === null;

/** As if its link were pressed: a browser knows what each modifier means. */
function openRow(row: HTMLElement | undefined, { ctrlKey, metaKey, shiftKey, altKey }: Modifiers): void {
  row?.querySelector('.row-link')?.dispatchEvent(
    new window.MouseEvent('click', {
      ...{ bubbles: true, cancelable: true },
      ...{ ctrlKey, metaKey, shiftKey, altKey },
    }),
  );
}

/** The neighbour of the focus in a row: its links and buttons stand beside each other, and at the very left the row itself. */
function besideOf(row: HTMLElement, target: Element, key: string): HTMLElement | undefined {
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
  if (step === 0) return undefined;
  const stops: HTMLElement[] = [row, ...row.querySelectorAll<HTMLElement>(STOPS)];
  return stops[stops.indexOf(target as HTMLElement) + step];
}
