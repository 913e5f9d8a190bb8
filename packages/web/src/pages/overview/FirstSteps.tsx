import type { ComponentChildren } from "preact"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Skeleton } from "../../ui/States.tsx"

const t = text("overview")

/**
 * Leads to the first steps while the instance has the name that it came with. What is below comes once that is known: else it would
 * be pushed down while somebody reads.
 */
export const FirstSteps = ({ children }: { readonly children: ComponentChildren }) => {
  const origins = useLoad("origins", (signal) => call("GET /api/v1/config/custom/origins", { signal }))
  if (origins.data === undefined && origins.failure === undefined) return <Skeleton rows={8} />
  const name = origins.data?.data.find((it) => it.setting === "instance.name")
  return (
    <>
      {name?.origin === "default" && (
        <div class="notice">
          <Icon name="info" />
          <p>{t("firstSteps")}</p>
          <ButtonLink href="/admin/welcome">{t("toFirstSteps")}</ButtonLink>
        </div>
      )}
      {children}
    </>
  )
}
