const call = /(?<![\w.])(?:this\.|this\.logger\.|logger\.|hls\.logger\.|this\.hls\.logger\.)(?:log|warn|debug|info)\(/g

/** Where the bracket at `start` closes; brackets in texts do not count. */
const closing = (source: string, start: number): number => {
  const open: Array<string> = []
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at]!
    const inside = open.at(-1)
    if (inside === "'" || inside === '"' || inside === "`") {
      if (sign === "\\") at += 1
      else if (sign === inside) open.pop()
      else if (inside === "`" && sign === "$" && source[at + 1] === "{") open.push("")
      continue
    }
    if (sign === ")" || sign === "}") {
      open.pop()
      if (open.length === 0) return at
    } else if (sign === "'" || sign === '"' || sign === "`") open.push(sign)
    else if (sign === "(" || (sign === "{" && inside !== "")) open.push(sign)
    // The brace of `${` was counted with the dollar sign.
    else if (sign === "{") open[open.length - 1] = "{"
  }
  throw new Error(`no end of the call at ${start}`)
}

/** A source of hls.js without what it says in logs that nobody reads: a twelfth of its weight. Arguments are not evaluated. */
export const withoutLogCalls = (source: string): string => {
  let rest = ""
  let from = 0
  for (const found of source.matchAll(call)) {
    if (found.index < from) continue
    rest += `${source.slice(from, found.index)}void 0`
    from = closing(source, found.index + found[0].length - 1) + 1
  }
  return rest + source.slice(from)
}
