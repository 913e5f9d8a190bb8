import { createHash } from "node:crypto"
import type { ConfigTree } from "../platform/config/Keys.ts"

type Theme = ConfigTree["theme"]["customization"]

/** The tokens of the stylesheets in `packages/web/src/styles` that a theme replaces. */
const tokensOf = (theme: Theme): ReadonlyArray<readonly [token: string, value: string | null]> => [
  ["--accent", theme.primary_color],
  ["--accent-text", theme.on_primary_color],
  ["--text", theme.foreground_color],
  ["--page", theme.background_color],
  ["--raised", theme.background_secondary_color],
  ["--menu-text", theme.menu_foreground_color],
  ["--menu", theme.menu_background_color],
  ["--menu-radius", theme.menu_border_radius],
  ["--top-text", theme.header_foreground_color],
  ["--top", theme.header_background_color],
  ["--field-radius", theme.input_border_radius]
]

const themeStyles = (theme: Theme): string => {
  const declarations = tokensOf(theme).flatMap(([token, value]) => (value === null ? [] : [`${token}: ${value};`]))
  return declarations.length === 0 ? "" : `:root { ${declarations.join(" ")} }\n`
}

/** A file that an administrator wrote into the settings, under an address that changes with its text. */
export interface CustomFile {
  readonly address: string
  readonly text: string
}

const file = (name: string, text: string): CustomFile | undefined =>
  text.trim() === ""
    ? undefined
    : { text, address: `/client/custom/${name}?v=${createHash("sha256").update(text).digest("hex").slice(0, 16)}` }

/** Colours and stylesheet of the operator, after those of the pages. They are files of this origin: no policy is loosened. */
export const customStyles = ({ instance, theme }: ConfigTree): CustomFile | undefined =>
  file("style.css", `${themeStyles(theme.customization)}${instance.customizations.css}`)

/** JavaScript of the operator for every page but embeds. */
export const customScript = ({ instance }: ConfigTree): CustomFile | undefined =>
  file("script.js", instance.customizations.javascript)
