import {
  defaultRangeExtractor,
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type Range,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useCallback, useLayoutEffect, useReducer, useState } from 'preact/hooks';

interface VirtualProps {
  readonly count: number;
  /** Of each, in pixels. */
  readonly size: number;
  /** Drawn around those that are seen. */
  readonly overscan: number;
  readonly horizontal?: boolean;
  /** So much of the scroller is under its header or its frozen columns, in pixels. */
  readonly covered: number;
  /** Drawn wherever the scroller is: the keyboard is there. */
  readonly kept?: number;
  scroller(): HTMLElement | null;
}

interface Virtual {
  /** The same list until others are drawn. */
  readonly drawn: readonly number[];
  /** Of the scroller without its bars, in pixels; 0 until it is drawn. */
  readonly room: number;
  scrollTo(index: number, align: 'auto' | 'center'): void;
}

/** Of many rows or columns those that are seen, and some around them. */
export function useVirtual(props: VirtualProps): Virtual {
  const { count, size, overscan, horizontal = false, covered, kept = -1, scroller } = props;
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const seen = defaultRangeExtractor(range);
      return kept < 0 || kept >= count || seen.includes(kept) ? seen : [...seen, kept].sort((a, b) => a - b);
    },
    [kept, count],
  );
  const options: VirtualizerOptions<HTMLElement, Element> = {
    count,
    overscan,
    horizontal,
    getScrollElement: scroller,
    estimateSize: () => size,
    scrollPaddingEnd: covered,
    rangeExtractor,
    scrollToFn: elementScroll,
    observeElementRect: (instance, tell) =>
      observeElementRect(instance, () =>
        tell({ width: scroller()?.clientWidth ?? 0, height: scroller()?.clientHeight ?? 0 }),
      ),
    observeElementOffset,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, Element>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    drawn: virtualizer.getVirtualIndexes(),
    room: virtualizer.scrollRect?.[horizontal ? 'width' : 'height'] ?? 0,
    scrollTo: (index, align) => virtualizer.scrollToIndex(index, { align }),
  };
}
