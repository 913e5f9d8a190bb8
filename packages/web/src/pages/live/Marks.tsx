import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"

const t = text("lives")

/** Moments of a live that is on, which become chapters of its replay. */
export const Marks = ({ id }: { readonly id: number }) => {
  const marks = useLoad(`live marks ${id}`, (signal) =>
    call("GET /api/v1/videos/live/:id/marks", { params: { id }, signal })
  )
  const [title, setTitle] = useState("")
  const [busy, setBusy] = useState(false)
  const mark = async (): Promise<void> => {
    setBusy(true)
    const body = { title: title.trim() }
    if (report(await call("POST /api/v1/videos/live/:id/marks", { params: { id }, body }), t("marked"))) {
      setTitle("")
      await marks.again()
    }
    setBusy(false)
  }
  return (
    <form
      class="card stack"
      aria-labelledby="live-marks"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && title.trim() !== "") void mark()
      }}
    >
      <h2 id="live-marks">{t("marks")}</h2>
      <p class="lead">{t("marksText")}</p>
      <TextField label={t("markTitle")} value={title} onValue={setTitle} maxLength={constraints.chapter.title.max} />
      <p>
        <Button type="submit" busy={busy} disabled={title.trim() === ""}>
          {t("mark")}
        </Button>
      </p>
      {marks.data !== undefined && marks.data.data.length > 0 && (
        <ul class="rows">
          {marks.data.data.map((it) => (
            <li key={it.id}>
              <div class="live-session">
                <strong dir="auto">{it.title}</strong>
                <span class="form-note">{moment(it.createdAt)}</span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
