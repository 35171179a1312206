import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface RowsOptions {
  readonly count: number;
  readonly height: number;
  scroller(): HTMLElement | null;
}

/** Of many rows those that are seen, and some around them. */
export function useVirtualRows({ count, height, scroller }: RowsOptions): Virtualizer<HTMLElement, Element> {
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const options = {
    count,
    getScrollElement: scroller,
    estimateSize: () => height,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
