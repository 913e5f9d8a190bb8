import { text } from "../../i18n/Text.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Tabs } from "../../ui/Tabs.tsx"
import { RunnerJobs } from "./RunnerJobs.tsx"
import { RunnersList } from "./RunnersList.tsx"
import { Tokens } from "./Tokens.tsx"

const t = text("runners")

const tabs = ["jobs", "runners", "tokens"] as const

/** Runners, what they work on, and what they register with. */
export const Page = () => {
  const tab = tabs.find((it) => it === place.value.query.get("tab")) ?? "jobs"
  const select = (key: string): void =>
    setQuery({
      ...Object.fromEntries([...place.peek().query.keys()].map((name) => [name, undefined])),
      tab: key === "jobs" ? undefined : key
    })
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("titleLead")}</p>
        </div>
      </header>
      <Tabs label={t("title")} tabs={tabs.map((key) => ({ key, label: t(key) }))} selected={tab} onSelect={select}>
        {tab === "jobs" && <RunnerJobs />}
        {tab === "runners" && <RunnersList />}
        {tab === "tokens" && <Tokens />}
      </Tabs>
    </>
  )
}
