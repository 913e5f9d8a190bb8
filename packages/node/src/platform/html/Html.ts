import { escapeHtml, safeUrl, scriptJson } from "./Escape.ts"

/** Markup whose every part has been escaped for its context. Only `html` creates it. */
export class Html {
  readonly markup: string

  private constructor(markup: string) {
    this.markup = markup
  }

  static readonly trusted = (markup: string): Html => new Html(markup)
}

export type Part = Html | string | number | null | undefined | false | ReadonlyArray<Part>

const render = (part: Part): string => {
  if (part === null || part === undefined || part === false) return ""
  if (part instanceof Html) return part.markup
  if (typeof part === "object") return part.map(render).join("")
  return escapeHtml(String(part))
}

/** A template whose values are escaped unless they are `Html`. Attribute values must be in double quotes. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => {
  let markup = strings[0]!
  for (let i = 0; i < parts.length; i++) markup += render(parts[i]) + strings[i + 1]!
  return Html.trusted(markup)
}

export const nothing: Html = html``

/** ` name="URL"`, or nothing if the URL is not one that a page may link to. */
export const urlAttribute = (name: "href" | "src" | "poster", address: string | null | undefined): Html => {
  const url = address === null || address === undefined ? undefined : safeUrl(address)
  return url === undefined ? nothing : html` ${Html.trusted(name)}="${url}"`
}

/** A JSON-LD data block: it is not executed, so the content security policy does not apply. */
export const jsonLd = (value: unknown): Html =>
  Html.trusted(`<script type="application/ld+json">${scriptJson(value)}</script>`)
