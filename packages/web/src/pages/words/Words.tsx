import { text } from "../../i18n/Text.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { mayUse } from "../../session/Me.ts"
import { Tabs } from "../../ui/Tabs.tsx"
import { Lists } from "./Lists.tsx"
import { Tags } from "./Tags.tsx"
import type { Watcher } from "./Watching.ts"

const t = text("words")

const parts = ["lists", "tags"] as const

/** Words that are watched for, and what becomes of texts that have them. The part is in the address. */
export const Words = ({ by }: { readonly by: Watcher }) => {
  const shown = parts.filter((it) => it === "lists" || by === "user" || mayUse("MANAGE_INSTANCE_AUTO_TAGS"))
  const part = shown.find((it) => it === place.value.query.get("part")) ?? "lists"
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title", { by })}</h1>
          <p>{t("pageLead", { by })}</p>
        </div>
      </header>
      <Tabs
        label={t("parts")}
        tabs={shown.map((key) => ({ key, label: key === "lists" ? t("lists") : t("tags", { by }) }))}
        selected={part}
        onSelect={(key) => setQuery({ part: key === "lists" ? undefined : key, sort: undefined, start: undefined })}
      >
        {part === "lists" ? <Lists by={by} /> : <Tags by={by} />}
      </Tabs>
    </>
  )
}
