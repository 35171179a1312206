import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface Tab {
  readonly id: string;
  readonly name: ComponentChildren;
  /** True if nothing of the table is used. */
  readonly isIgnored?: boolean;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string | undefined;
  choose(id: string): void;
}

/** Shows tabs for tables; the arrow keys move between them. */
export function Tabs({ label, tabs, chosen, choose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const at = tabs.findIndex(({ id }) => id === chosen);
  const onKey = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -at, End: -at - 1 }[event.key];
    const next = by === undefined ? undefined : tabs.at((at + by) % tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id);
    (list.current?.children[tabs.indexOf(next)] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
      {tabs.map(({ id, name, isIgnored }, index) => (
        <button
          key={id}
          type="button"
          role="tab"
          class={isIgnored ? 'aside' : undefined}
          aria-selected={id === chosen}
          tabIndex={index === Math.max(at, 0) ? 0 : -1}
          onClick={() => choose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
