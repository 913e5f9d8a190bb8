import { text } from "../../i18n/Text.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Tabs } from "../../ui/Tabs.tsx"
import { Delivery } from "./Delivery.tsx"
import { Followers } from "./Followers.tsx"
import { Following } from "./Following.tsx"

const t = text("follows")

const tabs = ["following", "followers", "delivery"] as const

/** Whom the instance follows, who follows it, and how other instances take what they are sent. */
export const Page = () => {
  const tab = tabs.find((it) => it === place.value.query.get("tab")) ?? "following"
  const select = (key: string): void =>
    setQuery({
      ...Object.fromEntries([...place.peek().query.keys()].map((name) => [name, undefined])),
      tab: key === "following" ? undefined : key
    })
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <Tabs label={t("title")} tabs={tabs.map((key) => ({ key, label: t(key) }))} selected={tab} onSelect={select}>
        {tab === "following" && <Following />}
        {tab === "followers" && <Followers />}
        {tab === "delivery" && <Delivery />}
      </Tabs>
    </>
  )
}
