import type { ComponentChildren } from "preact"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"
import { Icon, type IconName } from "./Icon.tsx"

const t = text("common")

/** How far something is. Without a value: that it goes on. */
export const Progress = ({
  label,
  max = 1,
  value
}: {
  readonly label: string
  readonly value?: number | undefined
  readonly max?: number
}) => <progress class="progress" aria-label={label} max={max} {...(value === undefined ? {} : { value })} />

/** A few words about the state of a thing. */
export const Badge = ({
  children,
  kind = "plain"
}: {
  readonly children: ComponentChildren
  readonly kind?: "plain" | "good" | "warn" | "bad"
}) => (
  <span class="badge" data-kind={kind}>
    {children}
  </span>
)

/** Words in the place of what is not there, and what can be done. */
export const Empty = ({
  children,
  icon = "info",
  text: words,
  title
}: {
  readonly title: string
  readonly text?: string
  readonly icon?: IconName
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    <span class="empty-icon">
      <Icon name={icon} size={28} />
    </span>
    <h2>{title}</h2>
    {words !== undefined && <p>{words}</p>}
    {children !== undefined && <div class="empty-acts">{children}</div>}
  </div>
)

/** Grey lines where rows will be. */
export const Skeleton = ({ rows = 6 }: { readonly rows?: number }) => (
  <div class="skeleton" role="status" aria-label={t("loading")}>
    {Array.from({ length: rows }, (_, i) => (
      <span key={i} />
    ))}
  </div>
)

/** What went wrong in loading, and another try. */
export const LoadFailure = ({ onRetry, reason }: { readonly reason: string; readonly onRetry: () => void }) => (
  <div class="notice notice-bad" role="alert">
    <Icon name="warning" />
    <p>{reason}</p>
    <Button small icon="retry" onClick={onRetry}>
      {t("retry")}
    </Button>
  </div>
)
