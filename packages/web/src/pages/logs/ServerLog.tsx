import { serverLogLevels } from "@kinora/domain/enums/LogLevel"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { Filter } from "../admin/ListView.tsx"
import { serverLines, spanNames, startOf } from "./Lines.ts"
import { LogView } from "./LogView.tsx"

const t = text("logs")

/** The log of the node that answers. */
export const ServerLog = () => {
  const { query } = place.value
  const level = serverLogLevels.find((it) => it === query.get("level"))
  const span = spanNames.find((it) => it === query.get("span"))
  const tags = query.get("tags") ?? ""
  const wanted = tags.split(/[\s,]+/).filter((it) => it !== "")
  const list = useLoad(`server log ${level} ${span} ${wanted.join()}`, (signal) =>
    call("GET /api/v1/server/logs", {
      query: {
        level: level ?? "debug",
        startDate: startOf(span),
        tagsOneOf: wanted.length === 0 ? undefined : wanted
      },
      signal
    })
  )
  return (
    <LogView
      label={t("server")}
      list={list}
      lines={serverLines(list.data ?? [])}
      tools={
        <>
          <SearchBox
            label={t("tagsLabel")}
            placeholder={t("tagsLabel")}
            value={tags}
            onValue={(value) => setQuery({ tags: value })}
          />
          <Filter
            label={t("level")}
            name="level"
            options={serverLogLevels.slice(1).map((it) => ({ value: it, label: t("levelName", { level: it }) }))}
          />
        </>
      }
    />
  )
}
