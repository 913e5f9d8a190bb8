import { call } from "../../api/Call.ts"
import type { Input } from "../../api/Endpoints.ts"
import { loadMe } from "../../session/Me.ts"
import { report } from "../../ui/Outcome.ts"

/** Changes the account and says what came of it. Whether it went well. */
export const change = async (body: Input<"PUT /api/v1/users/me">["body"], said: string): Promise<boolean> => {
  const went = report(await call("PUT /api/v1/users/me", { body }), said)
  if (went) await loadMe()
  return went
}
