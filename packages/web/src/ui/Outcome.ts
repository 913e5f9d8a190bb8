import type { Answer } from "../api/Answer.ts"
import { toast } from "./Toasts.tsx"
import { failureWords } from "./Words.ts"

/** Says what came of an act: the given words, or why not. Whether it went well. */
export const report = (answer: Answer, said: string): boolean => {
  if (answer.ok) toast(said)
  else toast(failureWords(answer), "failed")
  return answer.ok
}
