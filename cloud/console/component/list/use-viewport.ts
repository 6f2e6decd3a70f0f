import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { rowsGivenUp, type Viewport, viewportOf } from './viewport.ts';

/** Pixels. */
export interface Heights {
  readonly rowHeight: number;
  readonly headingHeight: number;
}

/**
 * The rows in sight in `box`; the component is drawn again when that is another row, and not with each pixel. `look` is to
 * be called when the box scrolls. Rows that are given up before the first one leave those in sight where they are.
 */
export function useViewport<Row>(
  box: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { rowHeight, headingHeight }: Heights,
): { readonly viewport: Viewport; readonly look: () => void } {
  // The box is no higher than the window: before it is measured, no row is missing.
  const [viewport, setViewport] = useState(() =>
    viewportOf({ scrollTop: 0, height: innerHeight, rowHeight }),
  );
  const seen = useRef({ viewport, scrollTop: 0 });
  const look = useCallback((): void => {
    if (box.current === null) return;
    const { scrollTop, clientHeight } = box.current;
    const next = viewportOf({ scrollTop, height: clientHeight - headingHeight, rowHeight });
    const { first, fits } = seen.current.viewport;
    seen.current.scrollTop = scrollTop;
    if (next.first === first && next.fits === fits) return;
    seen.current.viewport = next;
    setViewport(next);
  }, [box, rowHeight, headingHeight]);
  useLayoutEffect(() => {
    if (box.current === null) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box, look]);
  const shown = useRef(rows);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows alone move what is in sight
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = rows;
    if (before === rows || before.length === 0 || box.current === null) return;
    const away = rowsGivenUp(before, rows, keyOf);
    if (away === 0) return;
    // The place of before, for a browser has cut its own to the rows of now. A list that begins with another row is seen from there.
    box.current.scrollTop = away === undefined ? 0 : seen.current.scrollTop - away * rowHeight;
    look();
  }, [rows]);
  return { viewport, look };
}
