/** What an embed does by itself. `start` in seconds. */
interface EmbedChoices {
  readonly start: number | undefined
  readonly autoplay: boolean
  readonly loop: boolean
  readonly isResponsive: boolean
}

/** An address with parameters. */
export const withQuery = (address: string, pairs: ReadonlyArray<readonly [string, string]>): string => {
  const url = new URL(address)
  for (const [name, value] of pairs) url.searchParams.set(name, value)
  return url.href
}

/** The parameter of a moment to start at. */
export const startPair = (start: number | undefined): ReadonlyArray<readonly [string, string]> =>
  start === undefined ? [] : [["start", `${start}s`]]

const quoted = (text: string): string =>
  text.replace(/[&<>"]/g, (it) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[it] ?? "&quot;")

/** The HTML that other sites paste. */
export const embedHtml = (
  { embed, title }: { readonly embed: string; readonly title: string },
  choices: EmbedChoices
): string => {
  const { autoplay, isResponsive, loop, start } = choices
  const address = withQuery(embed, [
    ...startPair(start),
    ...(autoplay ? ([["autoplay", "1"]] as const) : []),
    ...(loop ? ([["loop", "1"]] as const) : [])
  ])
  const size = isResponsive
    ? `width="100%" height="100%" style="border: 0; aspect-ratio: 16 / 9"`
    : `width="560" height="315" style="border: 0"`
  return `<iframe title="${quoted(title)}" ${size} src="${quoted(address)}" allow="autoplay; picture-in-picture" sandbox="allow-same-origin allow-scripts allow-popups allow-forms" allowfullscreen></iframe>`
}
