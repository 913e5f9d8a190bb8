import { text } from "../../i18n/Text.ts"
import { place } from "../../navigation/Location.ts"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { Filter, setFilter } from "../admin/ListView.tsx"

const t = text("review")

const given = (name: string): string | undefined => place.value.query.get(name) || undefined

/** What moderators narrow the list of all comments to, as the address has it. */
export const narrowing = () => {
  const from = given("from")
  const tag = given("tag")
  return {
    isLocal: from === "local" ? true : from === "remote" ? false : undefined,
    searchAccount: given("account"),
    searchVideo: given("video"),
    autoTagOneOf: tag === undefined ? undefined : [tag]
  }
}

const fields = ["account", "video", "tag"] as const

/** Filters of moderators, below the search. */
export const Narrowing = () => (
  <div class="toolbar c-filters">
    <Filter
      label={t("from")}
      name="from"
      options={(["local", "remote"] as const).map((it) => ({ value: it, label: t("fromName", { from: it }) }))}
    />
    {fields.map((name) => (
      <SearchBox
        key={name}
        label={t("filterLabel", { name })}
        placeholder={t("filterName", { name })}
        value={place.value.query.get(name) ?? ""}
        onValue={(value) => setFilter({ [name]: value })}
      />
    ))}
  </div>
)
