import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import type { Me } from "../../session/Me.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Exports } from "./Exports.tsx"
import { Import } from "./Import.tsx"

const t = text("archives")

/** Archives of the account: what the administrator has switched off is not offered. */
export const Data = ({ user }: { readonly user: Me }) => {
  const config = useLoad("config", (signal) => call("GET /api/v1/config", { signal }))
  if (config.failure !== undefined)
    return <LoadFailure reason={failureWords(config.failure)} onRetry={() => void config.again()} />
  if (config.data === undefined) return <Skeleton rows={4} />
  const { export: exports, import: imports } = config.data
  return (
    <div class="stack">
      {exports.users.enabled && <Exports userId={user.id} />}
      {imports.users.enabled && <Import userId={user.id} />}
      {!exports.users.enabled && !imports.users.enabled && <p class="lead">{t("switchedOff")}</p>}
    </div>
  )
}
