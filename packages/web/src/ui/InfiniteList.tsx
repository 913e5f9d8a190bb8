import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"

const t = text("common")

/** A list that asks for more when its end comes near, and by a button for who cannot scroll. */
export const InfiniteList = ({
  busy,
  children,
  hasMore,
  label,
  onMore
}: {
  readonly label: string
  readonly children: ComponentChildren
  readonly hasMore: boolean
  readonly busy: boolean
  readonly onMore: () => void
}) => {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (end.current === null || !hasMore || busy) return undefined
    const observer = new IntersectionObserver(([it]) => it?.isIntersecting === true && onMore(), {
      rootMargin: "600px"
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasMore, busy, onMore])
  return (
    <>
      <ul class="list" aria-label={label} aria-busy={busy}>
        {children}
      </ul>
      <div ref={end} class="list-end">
        {hasMore && (
          <Button busy={busy} onClick={onMore}>
            {t("more")}
          </Button>
        )}
      </div>
    </>
  )
}
