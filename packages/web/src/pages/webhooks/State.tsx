import { text } from "../../i18n/Text.ts"
import { Badge } from "../../ui/States.tsx"
import type { Webhook } from "./Webhook.ts"

const t = text("webhooks")

/** Whether a webhook is sent anything, and whether it takes it. */
export const State = ({ webhook }: { readonly webhook: Webhook }) => {
  const { active, disabledReason, failingSince } = webhook
  if (disabledReason !== null) return <Badge kind="bad">{t("disabledReason", { reason: disabledReason })}</Badge>
  if (!active) return <Badge>{t("inactive")}</Badge>
  return failingSince === null ? <Badge kind="good">{t("works")}</Badge> : <Badge kind="warn">{t("fails")}</Badge>
}
