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
  /** Height or width of each item, in pixels. */
  readonly size: number;
  /** Number of items drawn beyond each end of the visible range. */
  readonly overscan: number;
  readonly horizontal?: boolean;
  /** Part of the scroller that its header or frozen columns cover, in pixels. */
  readonly covered: number;
  /** Index that is always drawn: it holds the focus. */
  readonly alwaysDrawn?: number;
  scroller(): HTMLElement | null;
}

interface Virtual {
  /** Drawn indexes; the same array until they change. */
  readonly drawn: readonly number[];
  /** Inner size of the scroller in pixels; 0 before it is drawn. */
  readonly room: number;
  scrollTo(index: number, align: 'auto' | 'center'): void;
}

/** Returns the visible rows or columns out of many, and a few around them. */
export function useVirtual(props: VirtualProps): Virtual {
  const { count, size, overscan, horizontal = false, covered, alwaysDrawn = -1, scroller } = props;
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const rangeExtractor = useCallback(
    (range: Range) => {
      const visible = defaultRangeExtractor(range);
      return alwaysDrawn < 0 || alwaysDrawn >= count || visible.includes(alwaysDrawn)
        ? visible
        : [...visible, alwaysDrawn].sort((a, b) => a - b);
    },
    [alwaysDrawn, count],
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
    observeElementRect: (instance, report) =>
      observeElementRect(instance, () =>
        report({ width: scroller()?.clientWidth ?? 0, height: scroller()?.clientHeight ?? 0 }),
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
