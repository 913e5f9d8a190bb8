import type { Failure } from "../api/Answer.ts"
import { text } from "../i18n/Text.ts"

const t = text("common")

/** A failure in words, with a way out. The server's own words come first where it has some. */
export const failureWords = ({ detail, retryAfter, status }: Failure): string => {
  if (status === 0) return t("offline")
  if (status === 429) return t("tooOften", { seconds: Math.ceil(retryAfter ?? 0) })
  if (status >= 500) return t("busy")
  if (detail !== undefined) return detail
  if (status === 403) return t("refused")
  if (status === 404) return t("gone")
  return t("failed")
}
