import { property } from "../api/Answer.ts"
import { isLoggedIn } from "../api/StoredSession.ts"
import { askAsUser } from "../session/Session.ts"

/** As much of the user who is logged in as buttons depend on; the server decides in any case. */
export interface CommentViewer {
  readonly accountId: number
  readonly moderates: boolean
}

const user = 2

/** Undefined: nobody is logged in, or not any more. */
export const findViewer = async (): Promise<CommentViewer | undefined> => {
  if (!isLoggedIn()) return undefined
  const me = await askAsUser("/api/v1/users/me")
  const accountId = property(property(me.body, "account"), "id")
  if (typeof accountId !== "number") return undefined
  return { accountId, moderates: property(property(me.body, "role"), "id") !== user }
}
