/**
 * A function of texts that remembers what it made of those it saw last, up to so many characters of both: feeds are made
 * again when one of their entries changed, and what people write takes longer to read than all else.
 */
export const keptTexts = (maxCharacters: number, make: (text: string) => string): ((text: string) => string) => {
  const kept = new Map<string, string>()
  let characters = 0
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) {
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const made = make(text)
    kept.set(text, made)
    characters += text.length + made.length
    for (const [first, itsText] of kept) {
      if (characters <= maxCharacters) break
      kept.delete(first)
      characters -= first.length + itsText.length
    }
    return made
  }
}
