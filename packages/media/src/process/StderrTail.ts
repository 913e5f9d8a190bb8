const keptLines = 40
const keptCharacters = 500

/** Keeps the last lines of a child's standard error, however long it is. */
export const stderrTail = () => {
  const lines: Array<string> = []
  return {
    lines,
    add: (line: string) => {
      if (line.trim() === "") return
      lines.push(line.length > keptCharacters ? `${line.slice(0, keptCharacters)}…` : line)
      if (lines.length > keptLines) lines.shift()
    }
  }
}
