import type { MarkdownIt, StateCore, Token } from "markdown-it"

/** The attribute that the player's browser code looks for: seconds from the start of the video. */
export const seekAttribute = "data-seek"

const time = /(?<![\d:])(?:\d{1,2}:)?[0-5]?\d:[0-5]\d(?![\d:])/g

const secondsOf = (text: string): number => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)

const withTimes = (state: StateCore, token: Token, duration: number): ReadonlyArray<Token> => {
  const made: Array<Token> = []
  const write = (content: string) => {
    if (content === "") return
    const text = new state.Token("text", "", 0)
    text.content = content
    made.push(text)
  }
  let end = 0
  for (const { 0: found, index } of token.content.matchAll(time)) {
    const seconds = secondsOf(found)
    if (seconds > duration) continue
    write(token.content.slice(end, index))
    const open = new state.Token("link_open", "a", 1)
    open.attrs = [
      ["href", `?start=${seconds}`],
      [seekAttribute, String(seconds)]
    ]
    made.push(open)
    write(found)
    made.push(new state.Token("link_close", "a", -1))
    end = index + found.length
  }
  if (made.length === 0) return [token]
  write(token.content.slice(end))
  return made
}

/**
 * Turns times such as `0:07` or `1:02:03`, outside of links and code, into links that seek, if they are within the
 * `duration` (seconds) given in the render environment.
 */
export const clockTimes = (markdown: MarkdownIt): void => {
  markdown.core.ruler.push("clock_times", (state) => {
    const { duration } = state.env as { readonly duration: number }
    for (const block of state.tokens) {
      if (block.type !== "inline" || block.children === null) continue
      let links = 0
      block.children = block.children.flatMap((token) => {
        if (token.type === "link_open") links++
        if (token.type === "link_close") links--
        return token.type === "text" && links === 0 ? withTimes(state, token, duration) : token
      })
    }
  })
}
