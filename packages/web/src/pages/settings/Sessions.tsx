import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import type { Me } from "../../session/Me.ts"
import { Button } from "../../ui/Button.tsx"
import { report } from "../../ui/Outcome.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("settings")

type Session = Output<"GET /api/v1/users/:id/token-sessions">["data"][number]

/** Where the user is logged in; each session but this one can be ended. */
export const Sessions = ({ user }: { readonly user: Me }) => {
  const { id } = user
  const list = useLoad(`sessions ${id}`, (signal) =>
    call("GET /api/v1/users/:id/token-sessions", { params: { id }, query: { count: 100 }, signal })
  )
  const end = async (session: Session): Promise<void> => {
    const params = { id, tokenSessionId: session.id }
    const answer = await call("POST /api/v1/users/:id/token-sessions/:tokenSessionId/revoke", { params })
    if (report(answer, t("sessionEnded"))) await list.again()
  }
  return (
    <section class="card stack" aria-labelledby="sessions">
      <h2 id="sessions">{t("sessions")}</h2>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={2} />}
      {list.data !== undefined && (
        <ul class="rows">
          {list.data.data.map((it) => {
            const device = it.lastActivityDevice === "" ? t("sessionUnknown") : it.lastActivityDevice
            return (
              <li key={it.id}>
                <div class="rows-words">
                  <strong>{it.currentSession ? t("sessionThis") : device}</strong>
                  <span>{t("sessionUsed", { at: moment(it.lastActivityDate), address: it.lastActivityIP })}</span>
                </div>
                {!it.currentSession && (
                  <span class="rows-acts">
                    <Button
                      kind="quiet"
                      icon="trash"
                      label={t("sessionEnd", { device })}
                      onClick={() => void end(it)}
                    />
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
