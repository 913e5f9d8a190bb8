import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

const t = text("common")

/** How long typing rests before the list is asked for. */
const rest = 300

/** A search in a list, as one types. */
export const SearchBox = ({
  label,
  onValue,
  placeholder = t("search"),
  value
}: {
  readonly label: string
  /** Shown while nothing is typed. */
  readonly placeholder?: string
  readonly value: string
  readonly onValue: (value: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  const sent = useRef(value)
  const send = (next: string): void => {
    sent.current = next
    onValue(next)
  }
  // Only what comes from elsewhere, such as the way back: what was typed since this box sent something stays.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setTyped(value)
  }, [value])
  useEffect(() => {
    if (typed === sent.current) return undefined
    const timer = setTimeout(() => send(typed), rest)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div class="searchbox" role="search" aria-label={label}>
      <Icon name="search" size={18} />
      <input
        class="in"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") send(typed)
        }}
      />
      {typed !== "" && (
        <Button
          kind="quiet"
          small
          icon="close"
          label={t("clearSearch")}
          onClick={() => {
            setTyped("")
            send("")
          }}
        />
      )}
    </div>
  )
}

/** What can be done with the rows that are selected; it takes the place of the tools while some are. */
export const BulkBar = ({
  children,
  count,
  onClear
}: {
  readonly count: number
  readonly onClear: () => void
  readonly children: ComponentChildren
}) => (
  <div class="bulk" role="group" aria-label={t("selected", { count })}>
    <Button kind="quiet" small icon="close" label={t("clearSelection")} onClick={onClear} />
    <strong>{t("selected", { count })}</strong>
    <span class="bulk-acts">{children}</span>
  </div>
)
