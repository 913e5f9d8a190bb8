/** The colours of pages that a theme replaces, as `styles/tokens.css` has them: a preview shows both schemes at once. */
export const schemes = {
  light: {
    "--page": "#fbfbfa",
    "--raised": "#ffffff",
    "--line": "#e2e2de",
    "--text": "#17181a",
    "--soft": "#5c5f66",
    "--accent": "#0b7a5e",
    "--accent-text": "#ffffff"
  },
  dark: {
    "--page": "#0f1112",
    "--raised": "#181b1d",
    "--line": "#2b3033",
    "--text": "#eef0f0",
    "--soft": "#a2a9ad",
    "--accent": "#4fd8b0",
    "--accent-text": "#04241b"
  }
} as const

export const schemeNames = ["light", "dark"] as const
export type SchemeName = (typeof schemeNames)[number]

/** Settings of colours, each with what it colours on the pages. */
export const colours = [
  ["primaryColor", "--accent"],
  ["onPrimaryColor", "--accent-text"],
  ["foregroundColor", "--text"],
  ["backgroundColor", "--page"],
  ["backgroundSecondaryColor", "--raised"],
  ["headerForegroundColor", "--top-text"],
  ["headerBackgroundColor", "--top"],
  ["menuForegroundColor", "--menu-text"],
  ["menuBackgroundColor", "--menu"]
] as const
export type ColourName = (typeof colours)[number][0]

/** Settings of round corners. */
export const corners = [
  ["menuBorderRadius", "--menu-radius"],
  ["inputBorderRadius", "--field-radius"]
] as const

/** What a text stands on: each pair must be readable in both schemes. */
export const pairs = [
  ["foregroundColor", "backgroundColor"],
  ["foregroundColor", "backgroundSecondaryColor"],
  ["primaryColor", "backgroundColor"],
  ["onPrimaryColor", "primaryColor"],
  ["headerForegroundColor", "headerBackgroundColor"],
  ["menuForegroundColor", "menuBackgroundColor"]
] as const satisfies ReadonlyArray<readonly [ColourName, ColourName]>

const without: Readonly<Record<SchemeName, Readonly<Record<ColourName, string>>>> = (() => {
  const of = (scheme: SchemeName) => {
    const it = schemes[scheme]
    return {
      primaryColor: it["--accent"],
      onPrimaryColor: it["--accent-text"],
      foregroundColor: it["--text"],
      backgroundColor: it["--page"],
      backgroundSecondaryColor: it["--raised"],
      headerForegroundColor: it["--text"],
      headerBackgroundColor: it["--page"],
      menuForegroundColor: it["--soft"],
      menuBackgroundColor: it["--page"]
    }
  }
  return { light: of("light"), dark: of("dark") }
})()

/** A setting that is left empty follows another one where that is set: the header is the page, its text the text. */
const follows: Partial<Readonly<Record<ColourName, ColourName>>> = {
  headerForegroundColor: "foregroundColor",
  headerBackgroundColor: "backgroundColor",
  menuBackgroundColor: "headerBackgroundColor"
}

/** The colour of a scheme that pages show, given what is set. */
export const shownColour = (
  name: ColourName,
  set: (name: ColourName) => string | undefined,
  scheme: SchemeName
): string => {
  const own = set(name)
  if (own !== undefined) return own
  const next = follows[name]
  return next === undefined ? without[scheme][name] : shownColour(next, set, scheme)
}
