import type { Answer, Failure } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("common")

/** Does one thing, and says that it was done or why not. Whether it was. */
export const act = async (doing: Promise<Answer>, said: string): Promise<boolean> => {
  const answer = await doing
  if (answer.ok) toast(said)
  else toast(failureWords(answer), "failed")
  return answer.ok
}

/** Does the same with several things, a few at a time, and says what came of it. Whether any of them went well. */
export const actOnAll = async <A>(
  things: ReadonlyArray<A>,
  one: (thing: A) => Promise<Answer>,
  said: (count: number) => string
): Promise<boolean> => {
  const failures: Array<Failure> = []
  for (let at = 0; at < things.length; at += 4) {
    const answers = await Promise.all(things.slice(at, at + 4).map(one))
    for (const answer of answers) if (!answer.ok && answer.status !== 404) failures.push(answer)
  }
  const [first] = failures
  if (first !== undefined) toast(t("someFailed", { count: failures.length, reason: failureWords(first) }), "failed")
  const went = things.length - failures.length
  if (went > 0) toast(said(went))
  return went > 0
}
