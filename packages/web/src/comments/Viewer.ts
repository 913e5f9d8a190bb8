import { call } from "../api/Call.ts"
import { isLoggedIn } from "../api/StoredSession.ts"

/** As much of the user who is logged in as buttons depend on; the server decides in any case. */
export interface CommentViewer {
  readonly accountId: number
  readonly moderates: boolean
}

const user = 2

/** Undefined: nobody is logged in, or not any more. */
export const findViewer = async (): Promise<CommentViewer | undefined> => {
  if (!isLoggedIn()) return undefined
  const me = await call("GET /api/v1/users/me")
  return me.ok ? { accountId: me.body.account.id, moderates: me.body.role.id !== user } : undefined
}
