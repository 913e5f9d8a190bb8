import { currentLanguage, text } from "../../i18n/Text.ts"
import { Icon } from "../../ui/Icon.tsx"
import { contrast, rgbOf } from "./Colours.ts"
import {
  type ColourName,
  colours,
  corners,
  pairs,
  schemeNames,
  schemes,
  type SchemeName,
  shownColour
} from "./Schemes.ts"

const t = text("appearance")

/** Texts need this contrast with what they stand on (WCAG 1.4.3). */
const enough = 4.5

/** One digit after the point, cut: what is nearly enough is not shown as enough. */
const decimal = (ratio: number): string => new Intl.NumberFormat(currentLanguage()).format(Math.floor(ratio * 10) / 10)

type SetColour = (name: ColourName) => string | undefined

/** Pairs that are hard to read, with their contrast. */
const hardToRead = (scheme: SchemeName, set: SetColour) =>
  pairs.flatMap(([above, below]) => {
    const one = rgbOf(shownColour(above, set, scheme))
    const other = rgbOf(shownColour(below, set, scheme))
    if (one === undefined || other === undefined) return []
    const ratio = contrast(one, other)
    return ratio < enough ? [{ above, below, ratio }] : []
  })

/** A small page in a scheme with what is typed, and which texts are hard to read on it. */
const Scheme = ({
  length,
  scheme,
  set
}: {
  readonly scheme: SchemeName
  readonly set: SetColour
  readonly length: (name: (typeof corners)[number][0]) => string | undefined
}) => {
  const style = {
    ...schemes[scheme],
    ...Object.fromEntries(
      [
        ...colours.map(([name, token]) => [token, set(name)] as const),
        ...corners.map(([name, token]) => [token, length(name)] as const)
      ].filter(([, value]) => value !== undefined)
    )
  }
  const hard = hardToRead(scheme, set)
  return (
    <figure class="look">
      <figcaption>{t("schemeName", { scheme })}</figcaption>
      <div class="look-page" style={style} aria-hidden="true">
        <div class="look-top">
          <strong>{t("look")}</strong>
          <span class="look-menu">{t("lookMenu")}</span>
        </div>
        <div class="look-body">
          <p>{t("lookText")}</p>
          <div class="look-card">
            <span class="look-field">{t("lookField")}</span>
            <span class="look-button">{t("lookButton")}</span>
          </div>
        </div>
      </div>
      <div class="look-hard" role="status">
        {hard.map(({ above, below, ratio }) => (
          <p key={`${above} ${below}`}>
            <Icon name="warning" size={16} />
            <span>{t("hardToRead", { above: t(above), below: t(below), ratio: decimal(ratio) })}</span>
          </p>
        ))}
      </div>
    </figure>
  )
}

/** How pages look in both schemes with what is typed. */
export const Preview = (props: {
  readonly set: SetColour
  readonly length: (name: (typeof corners)[number][0]) => string | undefined
}) => (
  <div class="looks">
    {schemeNames.map((scheme) => (
      <Scheme key={scheme} scheme={scheme} {...props} />
    ))}
  </div>
)
