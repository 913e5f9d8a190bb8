import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Button, type ButtonProps } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"

export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  readonly danger?: boolean
  readonly disabled?: boolean
  /** A link where it leads somewhere, else a button. */
  readonly href?: string
  readonly onSelect?: () => void
}

const keysOf = (count: number, at: number): Readonly<Record<string, number>> => ({
  ArrowDown: (at + 1) % count,
  ArrowUp: (at - 1 + count) % count,
  Home: 0,
  End: count - 1
})

/** A button that opens a list of acts (ARIA menu button): arrow keys move, Escape closes and goes back to the button. */
export const Menu = ({
  items,
  label,
  ...button
}: Pick<ButtonProps, "icon" | "kind" | "small" | "children"> & {
  readonly label: string
  readonly items: ReadonlyArray<MenuItem>
}) => {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const id = useId()
  const all = () => [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])]
  const close = (): void => {
    setOpen(false)
    root.current?.querySelector("button")?.focus()
  }
  useEffect(() => {
    if (!open) return undefined
    all()[0]?.focus()
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false)
    }
    document.addEventListener("pointerdown", outside)
    return () => document.removeEventListener("pointerdown", outside)
  }, [open])
  const onKeyDown = (event: KeyboardEvent): void => {
    const entries = all()
    const next = keysOf(entries.length, entries.indexOf(document.activeElement as HTMLElement))[event.key]
    if (event.key === "Escape" && open) close()
    else if (event.key === "Tab") setOpen(false)
    else if (open && next !== undefined) entries[next]?.focus()
    else return
    if (event.key !== "Tab") event.preventDefault()
  }
  return (
    <div class="menu" ref={root} onKeyDown={onKeyDown}>
      <Button
        {...button}
        {...(button.children === undefined ? { label } : {})}
        aria-haspopup="menu"
        aria-expanded={open}
        {...(open ? { "aria-controls": id } : {})}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div class="menu-list" role="menu" id={id} aria-label={label}>
          {items.map((it) => {
            const content = (
              <>
                {it.icon !== undefined && <Icon name={it.icon} size={18} />}
                {it.label}
              </>
            )
            const look = it.danger === true ? "danger" : undefined
            return it.href !== undefined ? (
              <a
                key={it.label}
                role="menuitem"
                tabIndex={-1}
                class={look}
                href={it.href}
                onClick={() => setOpen(false)}
              >
                {content}
              </a>
            ) : (
              <button
                key={it.label}
                type="button"
                role="menuitem"
                tabIndex={-1}
                class={look}
                disabled={it.disabled}
                onClick={() => {
                  close()
                  it.onSelect?.()
                }}
              >
                {content}
              </button>
            )
          })}
        </div>
      )}
    </div>
  )
}
