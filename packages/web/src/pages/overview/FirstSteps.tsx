import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"

const t = text("overview")

/** Leads to the first steps while the instance has the name that it came with. */
export const FirstSteps = () => {
  const origins = useLoad("origins", (signal) => call("GET /api/v1/config/custom/origins", { signal }))
  const name = origins.data?.data.find((it) => it.setting === "instance.name")
  if (name?.origin !== "default") return null
  return (
    <div class="notice">
      <Icon name="info" />
      <p>{t("firstSteps")}</p>
      <ButtonLink href="/admin/welcome">{t("toFirstSteps")}</ButtonLink>
    </div>
  )
}
