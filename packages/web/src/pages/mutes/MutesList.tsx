import { useState } from "preact/hooks"
import type { Answer } from "../../api/Answer.ts"
import { text } from "../../i18n/Text.ts"
import { day } from "../../i18n/Units.ts"
import type { Loading } from "../../navigation/Load.ts"
import { setQuery } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { report } from "../../ui/Outcome.ts"
import { Pager } from "../../ui/Pager.tsx"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("mutes")

/** Rows of a page of the list. */
export const perPage = 50

interface Muted {
  /** The name by which the API knows it. */
  readonly name: string
  readonly label: string
  readonly since: string
}

export interface MutedPage {
  readonly total: number
  readonly data: ReadonlyArray<Muted>
}

/** What is muted of one kind, and a field to mute more. */
export const MutesList = ({
  empty,
  help,
  label,
  list,
  onMute,
  onUnmute,
  start
}: {
  readonly label: string
  readonly help: string
  readonly empty: string
  readonly start: number
  readonly list: Loading<MutedPage>
  readonly onMute: (name: string) => Promise<Answer>
  readonly onUnmute: (name: string) => Promise<Answer>
}) => {
  const [name, setName] = useState("")
  const [busy, setBusy] = useState(false)
  const mute = async (): Promise<void> => {
    const wanted = name.trim()
    if (wanted === "") return
    setBusy(true)
    if (report(await onMute(wanted), t("muted", { name: wanted }))) {
      setName("")
      await list.again()
    }
    setBusy(false)
  }
  const unmute = async (muted: Muted): Promise<void> => {
    if (report(await onUnmute(muted.name), t("unmuted", { name: muted.label }))) await list.again()
  }
  return (
    <div class="card stack">
      <form
        class="beside"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void mute()
        }}
      >
        <TextField label={label} help={help} value={name} onValue={setName} />
        <Button type="submit" busy={busy}>
          {t("mute")}
        </Button>
      </form>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={3} />}
      {list.data?.total === 0 && <p class="lead">{empty}</p>}
      {list.data !== undefined && list.data.data.length > 0 && (
        <ul class="rows" aria-busy={list.busy}>
          {list.data.data.map((it) => (
            <li key={it.name}>
              <div class="rows-words">
                <strong>{it.label}</strong>
                <span>{t("since", { day: day(it.since) })}</span>
              </div>
              <span class="rows-acts">
                <Button
                  kind="quiet"
                  icon="trash"
                  label={t("unmute", { name: it.label })}
                  onClick={() => void unmute(it)}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      <Pager
        start={start}
        count={perPage}
        total={list.data?.total ?? 0}
        onStart={(next) => setQuery({ start: next === 0 ? undefined : String(next) })}
      />
    </div>
  )
}
