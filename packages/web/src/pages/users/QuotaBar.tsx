import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { Progress } from "../../ui/States.tsx"

const t = text("users")

/** How much of a quota is used; without a quota, how much there is. */
export const QuotaBar = ({
  label,
  quota,
  used
}: {
  readonly label: string
  readonly quota: number
  readonly used: number
}) =>
  quota < 0 ? (
    <span class="quota">{t("usedOfAny", { used: bytes(used) })}</span>
  ) : (
    <span class="quota" data-full={used >= quota}>
      <span>{t("usedOf", { used: bytes(used), quota: bytes(quota) })}</span>
      <Progress label={label} value={quota === 0 ? 1 : Math.min(used / quota, 1)} />
    </span>
  )
