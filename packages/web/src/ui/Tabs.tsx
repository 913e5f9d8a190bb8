import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

export interface Tab {
  readonly key: string
  readonly label: string
}

/** Tabs of one page (ARIA tabs): arrow keys move between them. */
export const Tabs = ({
  children,
  label,
  onSelect,
  selected,
  tabs
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
  readonly selected: string
  readonly onSelect: (key: string) => void
  readonly children: ComponentChildren
}) => {
  const id = useId()
  const at = Math.max(
    0,
    tabs.findIndex((it) => it.key === selected)
  )
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const forward = document.documentElement.dir === "rtl" ? -1 : 1
    const step = event.key === "ArrowRight" ? forward : event.key === "ArrowLeft" ? -forward : 0
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (step === 0 || next === undefined) return
    event.preventDefault()
    onSelect(next.key)
    event.currentTarget.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((it) => (
          <button
            key={it.key}
            type="button"
            role="tab"
            id={`${id}-${it.key}`}
            data-key={it.key}
            aria-selected={it.key === selected}
            aria-controls={`${id}-panel`}
            tabIndex={it.key === selected ? 0 : -1}
            onClick={() => onSelect(it.key)}
          >
            {it.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`} tabIndex={0}>
        {children}
      </div>
    </div>
  )
}
