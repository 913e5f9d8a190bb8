import type { Player } from "../player/PlayerInterface.ts"
import { t } from "../player/Messages.ts"
import { auto } from "../player/Source.ts"

/** A rendition as the package names it: by its height, and -1 where the bandwidth decides. */
export interface Resolution {
  readonly id: number
  readonly label: string
  readonly active: boolean
  readonly height: number
}

export const resolutionsOf = ({ qualities, source }: Player): ReadonlyArray<Resolution> => {
  const feed = source()
  const selected = feed?.selected() ?? auto
  const found = qualities().map(({ height, id, label }) => ({ id: height, label, active: id === selected, height }))
  if (found.length === 0 || feed?.adaptive === false) return found
  return [...found, { id: -1, label: t("auto"), active: selected === auto, height: 0 }]
}
