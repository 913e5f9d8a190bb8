import { videoCategoryLabels } from "@kinora/domain/enums/VideoCategory"
import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import type { BrowseFilters, BrowseOrder } from "./BrowseFilters.ts"

/** What a list is called by its order. */
export const orderTitles: Readonly<Record<BrowseOrder, string>> = {
  "-publishedAt": "Latest videos",
  "-trending": "Trending",
  "-hot": "Hot videos",
  "-best": "Best videos",
  "-likes": "Most liked videos",
  "-views": "Most viewed videos"
}

/** Heading of a list: its tag or category, else its order. */
export const browseTitle = (filters: BrowseFilters): string => {
  const { categoryOneOf, languageOneOf, scope, sort = "-publishedAt", tagsOneOf } = filters
  if (tagsOneOf !== undefined) return `#${tagsOneOf}`
  if (categoryOneOf !== undefined) return videoCategoryLabels[Number(categoryOneOf)] ?? "Videos"
  if (languageOneOf !== undefined) return `Videos in ${videoLanguageLabels[languageOneOf] ?? languageOneOf}`
  return scope === "local" && sort === "-publishedAt" ? "Local videos" : orderTitles[sort]
}
