import { type ImportSection, importSections } from "@kinora/domain/enums/UserArchiveState"
import type { ImportSummary } from "@kinora/storage/archive/import/UserImportRows"

const titles: Readonly<Record<ImportSection, string>> = {
  account: "Profile",
  userSettings: "Settings",
  channels: "Channels",
  blocklist: "Blocked accounts and instances",
  videos: "Videos",
  videoPlaylists: "Playlists",
  following: "Subscriptions",
  likes: "Likes",
  dislikes: "Dislikes",
  userVideoHistory: "History",
  watchedWordsLists: "Watched words",
  commentAutoTagPolicies: "Rules for comments"
}

/** The report of an import: one sentence for each section that had entries. */
export const importResults = (summary: ImportSummary): ReadonlyArray<string> =>
  importSections.flatMap((section) => {
    const { duplicates = 0, errors = 0, success = 0 } = summary[section] ?? {}
    const said = [
      ...(success > 0 ? [`${success} imported`] : []),
      ...(duplicates > 0 ? [`${duplicates} already there`] : []),
      ...(errors > 0 ? [`${errors} not imported`] : [])
    ]
    return said.length === 0 ? [] : [`${titles[section]}: ${said.join(", ")}.`]
  })
