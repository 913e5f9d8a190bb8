import { text } from "../../i18n/Text.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Tabs } from "../../ui/Tabs.tsx"
import { MutedAccounts, MutedServers, type Muting } from "./Muted.tsx"

const t = text("mutes")

const kinds = ["accounts", "servers"] as const

/** What is muted, accounts beside servers; which of both, and from where on, is in the address. */
export const Mutes = ({ by }: { readonly by: Muting }) => {
  const { query } = place.value
  const kind = kinds.find((it) => it === query.get("kind")) ?? "accounts"
  const start = Number(query.get("start") ?? 0) || 0
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{by === "server" ? t("instanceTitle") : t("title")}</h1>
          <p>{by === "server" ? t("instanceLead") : t("lead")}</p>
        </div>
      </header>
      <Tabs
        label={t("kinds")}
        tabs={kinds.map((key) => ({ key, label: t(key) }))}
        selected={kind}
        onSelect={(key) => setQuery({ kind: key === "accounts" ? undefined : key, start: undefined })}
      >
        {kind === "accounts" ? <MutedAccounts by={by} start={start} /> : <MutedServers by={by} start={start} />}
      </Tabs>
    </>
  )
}
