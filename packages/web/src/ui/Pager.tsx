import { text } from "../i18n/Text.ts"
import { Button } from "./Button.tsx"

const t = text("common")

/** Which part of a list is shown, and the way to the next. */
export const Pager = ({
  count,
  onStart,
  start,
  total
}: {
  readonly start: number
  readonly count: number
  readonly total: number
  readonly onStart: (start: number) => void
}) =>
  total <= count && start === 0 ? null : (
    <nav class="pager" aria-label={t("pagination")}>
      <Button
        icon="left"
        label={t("previousPage")}
        disabled={start === 0}
        onClick={() => onStart(Math.max(0, start - count))}
      />
      <span role="status">
        {t("pageOf", { from: Math.min(start + 1, total), to: Math.min(start + count, total), total })}
      </span>
      <Button
        icon="right"
        label={t("nextPage")}
        disabled={start + count >= total}
        onClick={() => onStart(start + count)}
      />
    </nav>
  )
