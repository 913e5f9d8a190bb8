/** Longer names are not remembered: nobody asks for them again. */
const longest = 500

/**
 * What questions were understood as, by how they were asked: the least recently asked one is forgotten for a new one.
 */
export const keptQuestions = <A>(most: number) => {
  const kept = new Map<string, A>()
  return {
    get: (name: string): A | undefined => {
      const question = kept.get(name)
      if (question !== undefined && kept.size === most) {
        kept.delete(name)
        kept.set(name, question)
      }
      return question
    },
    keep: (name: string, question: A): void => {
      if (name.length > longest) return
      kept.set(name, question)
      const first = kept.keys().next()
      if (kept.size > most && first.done !== true) kept.delete(first.value)
    }
  }
}
