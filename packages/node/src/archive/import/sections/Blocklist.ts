import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { Effect } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import { siteHost } from "../../../video/embed/EmbedRule.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { fieldsOf } from "../context/ImportedFields.ts"

/** Blocked instances and accounts. Accounts that are unknown here are not fetched. */
export const importBlocklist = Effect.gen(function* () {
  const { derived } = yield* KinoraConfig
  const items = yield* ImportItems
  const ownHost = derived.host

  return {
    section: "blocklist",
    files: ["blocklist"],
    lists: ["instances", "actors"],
    importEntry: Effect.fnUntraced(function* ({ user }, entry, list) {
      const { handle, host } = fieldsOf(entry)
      if (list === "instances") {
        const named = typeof host === "string" && host.length <= 255 ? siteHost(host) : undefined
        if (named === undefined || named === ownHost) return "error"
        return (yield* items.blockServer(user.accountId, named)) === "added" ? "success" : "duplicate"
      }
      const parsed = typeof handle === "string" ? parseActorHandle(handle) : undefined
      if (parsed === undefined) return "error"
      const local = parsed.host === ownHost ? { name: parsed.name, host: null } : parsed
      switch (yield* items.blockAccount(user.accountId, local)) {
        case "added":
          return "success"
        case "there":
          return "duplicate"
        case "unknown":
          return "error"
      }
    })
  } satisfies SectionImport
})
