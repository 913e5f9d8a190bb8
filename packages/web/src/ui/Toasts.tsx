import { signal } from "@preact/signals"
import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

const t = text("common")

interface Toast {
  readonly key: number
  readonly text: string
  readonly kind: "done" | "failed"
}

const toasts = signal<ReadonlyArray<Toast>>([])
let keys = 0

const dismiss = (key: number): void => {
  toasts.value = toasts.value.filter((it) => it.key !== key)
}

/** How long good news stays; bad news stays until it is dismissed. */
const lifetime = 6000

/** Says what came of something, at the edge of the page and to readers of the screen. */
export const toast = (message: string, kind: Toast["kind"] = "done"): void => {
  const key = keys++
  toasts.value = [...toasts.value.slice(-3), { key, text: message, kind }]
  if (kind === "done") setTimeout(() => dismiss(key), lifetime)
}

/** Where toasts appear: once in the shell. */
export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map((it) => (
      <div class="toast" data-kind={it.kind} key={it.key}>
        <Icon name={it.kind === "done" ? "check" : "warning"} />
        <p>{it.text}</p>
        <Button kind="quiet" small icon="close" label={t("dismiss")} onClick={() => dismiss(it.key)} />
      </div>
    ))}
  </div>
)
