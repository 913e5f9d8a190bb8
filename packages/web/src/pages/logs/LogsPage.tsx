import { text } from "../../i18n/Text.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Tabs } from "../../ui/Tabs.tsx"
import { AuditLog } from "./AuditLog.tsx"
import { ServerLog } from "./ServerLog.tsx"

const t = text("logs")

const kinds = ["server", "audit"] as const

/** What the node noted, and what was administered; which of both, and the filters, are in the address. */
export const Page = () => {
  const kind = kinds.find((it) => it === place.value.query.get("kind")) ?? "server"
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{kind === "server" ? t("serverLead") : t("auditLead")}</p>
        </div>
      </header>
      <Tabs
        label={t("kinds")}
        tabs={kinds.map((key) => ({ key, label: t(key) }))}
        selected={kind}
        onSelect={(key) =>
          setQuery({ kind: key === "server" ? undefined : key, search: undefined, level: undefined, tags: undefined })
        }
      >
        {kind === "server" ? <ServerLog /> : <AuditLog />}
      </Tabs>
    </>
  )
}
