import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { auditLines, spanNames, startOf } from "./Lines.ts"
import { LogView } from "./LogView.tsx"

const t = text("logs")

/** What was administered, by whom. */
export const AuditLog = () => {
  const span = spanNames.find((it) => it === place.value.query.get("span"))
  const list = useLoad(`audit log ${span}`, (signal) =>
    call("GET /api/v1/server/audit-logs", { query: { startDate: startOf(span) }, signal })
  )
  return <LogView label={t("audit")} list={list} lines={auditLines(list.data ?? [])} />
}
