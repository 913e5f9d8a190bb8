import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { clock, moment } from "../../i18n/Units.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Badge } from "../../ui/States.tsx"
import { errorWords } from "./LiveWords.ts"

const t = text("lives")

export type Session = Output<"GET /api/v1/videos/live/:id/sessions">["data"][number]

const lengthOf = ({ endDate, startDate }: Session): string | undefined =>
  endDate === null ? undefined : clock((Date.parse(endDate) - Date.parse(startDate)) / 1_000)

const Replay = ({ session }: { readonly session: Session }) => {
  if (session.replayVideo !== null && session.endingProcessed) {
    return (
      <ButtonLink href={`/w/${session.replayVideo.shortUUID}`} icon="play">
        {t("replayOf")}
      </ButtonLink>
    )
  }
  if (session.endDate === null || !session.saveReplay) return null
  return <span class="form-note">{session.endingProcessed ? t("replayNone") : t("replayMaking")}</span>
}

/** The stretches in which a live was published, the newest first. */
export const Sessions = ({ sessions }: { readonly sessions: ReadonlyArray<Session> }) => (
  <section class="card stack" aria-labelledby="live-sessions">
    <h2 id="live-sessions">{t("sessions")}</h2>
    {sessions.length === 0 ? (
      <p class="lead">{t("sessionsNone")}</p>
    ) : (
      <ul class="rows">
        {sessions.map((it) => (
          <li key={it.id}>
            <div class="live-session">
              <strong>{moment(it.startDate)}</strong>
              <span class="form-note">{lengthOf(it) ?? t("sessionOn")}</span>
              {it.error !== null && <Badge kind="bad">{errorWords(it.error)}</Badge>}
            </div>
            <div class="rows-acts">
              <Replay session={it} />
            </div>
          </li>
        ))}
      </ul>
    )}
  </section>
)
