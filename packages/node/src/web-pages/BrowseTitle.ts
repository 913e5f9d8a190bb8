import { videoLanguageLabels } from "@kinora/domain/enums/VideoLanguage"
import type { BrowseFilters, BrowseOrder } from "./BrowseFilters.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

const orderTitles = {
  "-publishedAt": "titleLatest",
  "-trending": "titleTrending",
  "-hot": "titleHot",
  "-best": "titleBest",
  "-likes": "titleLikes",
  "-views": "titleViews"
} as const satisfies Record<BrowseOrder, string>

/** What a list is called by its order. */
export const orderTitle = (language: PageLanguage, order: BrowseOrder): string =>
  language.text("lists")(orderTitles[order])

/** The name of a language that videos may have, in another one. */
export const videoLanguageName = (language: PageLanguage, tag: string): string => {
  const label = videoLanguageLabels[tag] ?? tag
  return language.code === "en" ? label : (language.languageName(tag) ?? label)
}

/** Heading of a list: its tag or category, else its order. */
export const browseTitle = (language: PageLanguage, filters: BrowseFilters): string => {
  const { categoryOneOf, languageOneOf, scope, sort = "-publishedAt", tagsOneOf } = filters
  const t = language.text("lists")
  if (tagsOneOf !== undefined) return `#${tagsOneOf}`
  if (categoryOneOf !== undefined) return language.text("labels")("category", { id: categoryOneOf })
  if (languageOneOf !== undefined) return t("titleLanguage", { language: videoLanguageName(language, languageOneOf) })
  return scope === "local" && sort === "-publishedAt" ? t("titleLocal") : orderTitle(language, sort)
}
