import type { UserRight } from "@kinora/domain/enums/UserRight"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { mayUse } from "../../session/Me.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Code } from "./Code.tsx"
import { Homepage } from "./Homepage.tsx"
import { Pictures } from "./Pictures.tsx"
import { Theme } from "./Theme.tsx"

const t = text("appearance")

const rights = {
  pictures: "MANAGE_CONFIGURATION",
  theme: "MANAGE_CONFIGURATION",
  code: "MANAGE_CONFIGURATION",
  home: "MANAGE_INSTANCE_CUSTOM_PAGE"
} as const satisfies Readonly<Record<string, UserRight>>

const parts = ["pictures", "theme", "code", "home"] as const

/** Colours, or stylesheet and script: both are settings. */
const OfSettings = ({ part }: { readonly part: "theme" | "code" }) => {
  const config = useLoad("config", (signal) => call("GET /api/v1/config/custom", { signal }))
  const origins = useLoad("origins", (signal) => call("GET /api/v1/config/custom/origins", { signal }))
  const failure = config.failure ?? origins.failure
  if (failure !== undefined)
    return (
      <LoadFailure reason={failureWords(failure)} onRetry={() => void Promise.all([config.again(), origins.again()])} />
    )
  if (config.data === undefined || origins.data === undefined) return <Skeleton rows={8} />
  const shown = { config: config.data, origins: origins.data.data, onSaved: config.show }
  return part === "theme" ? <Theme {...shown} /> : <Code {...shown} />
}

/** How the instance looks to everybody: pictures, colours, stylesheet and script, home page. The part is in the address. */
export const Page = () => {
  const allowed = parts.filter((it) => mayUse(rights[it]))
  const part = allowed.find((it) => it === place.value.query.get("part")) ?? "pictures"
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
        <ButtonLink icon="eye" href="/">
          {t("see")}
        </ButtonLink>
      </header>
      <Tabs
        label={t("parts")}
        tabs={allowed.map((key) => ({ key, label: t(key) }))}
        selected={part}
        onSelect={(key) => setQuery({ part: key === "pictures" ? undefined : key })}
      >
        {part === "pictures" && <Pictures />}
        {(part === "theme" || part === "code") && <OfSettings key={part} part={part} />}
        {part === "home" && <Homepage />}
      </Tabs>
    </>
  )
}
