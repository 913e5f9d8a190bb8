import { UserArchiveState } from "@kinora/domain/enums/UserArchiveState"
import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { bytes, moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { Button } from "../../ui/Button.tsx"
import { Checkbox } from "../../ui/Choices.tsx"
import { report } from "../../ui/Outcome.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { useLive } from "../admin/Live.ts"

const t = text("archives")

type Export = Output<"GET /api/v1/users/:userId/exports">["data"][number]

const isMade = ({ state }: Export): boolean => state.id < UserArchiveState.completed

const stateWords = (it: Export): string => {
  if (it.state.id === UserArchiveState.completed)
    return t("ready", { size: bytes(it.size ?? 0), until: moment(it.expiresOn ?? it.createdAt) })
  return it.state.id === UserArchiveState.errored ? (it.error ?? t("failed")) : t("beingMade")
}

/** Path of a download on the host of this page: a proxy may give the instance another name. */
const downloadOf = ({ privateDownloadUrl: url }: Export): string | undefined => {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { pathname, search } = new URL(url)
  return pathname + search
}

const Item = ({ archive: it, onRemove }: { readonly archive: Export; readonly onRemove: () => void }) => {
  const download = downloadOf(it)
  const at = moment(it.createdAt)
  return (
    <li>
      <div class="rows-words">
        <strong>{t("archiveOf", { at })}</strong>
        <span>{stateWords(it)}</span>
      </div>
      <span class="rows-acts">
        {download !== undefined && (
          <a class="btn btn-plain btn-small" href={download} download>
            {t("download")}
          </a>
        )}
        <Button kind="quiet" icon="trash" label={t(isMade(it) ? "giveUp" : "remove", { at })} onClick={onRemove} />
      </span>
    </li>
  )
}

/** Archives of everything that is the user's: there is one at a time. */
export const Exports = ({ userId }: { readonly userId: number }) => {
  const list = useLoad(`exports ${userId}`, (signal) =>
    call("GET /api/v1/users/:userId/exports", { params: { userId }, signal })
  )
  const [withVideoFiles, setWithVideoFiles] = useState(true)
  const [busy, setBusy] = useState(false)
  const archives = list.data?.data ?? []
  useLive(async () => {
    if (archives.some(isMade)) await list.again()
  })
  const ask = async (): Promise<void> => {
    setBusy(true)
    const answer = await call("POST /api/v1/users/:userId/exports/request", {
      params: { userId },
      body: { withVideoFiles }
    })
    setBusy(false)
    if (report(answer, t("asked"))) await list.again()
  }
  const remove = async ({ id }: Export): Promise<void> => {
    const answer = await call("DELETE /api/v1/users/:userId/exports/:id", { params: { userId, id } })
    if (report(answer, t("removed"))) await list.again()
  }
  return (
    <section class="card stack" aria-labelledby="export">
      <h2 id="export">{t("export")}</h2>
      <p class="lead">{t("exportText")}</p>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={1} />}
      {archives.length > 0 && (
        <ul class="rows">
          {archives.map((it) => (
            <Item key={it.id} archive={it} onRemove={() => void remove(it)} />
          ))}
        </ul>
      )}
      {list.data !== undefined && archives.every((it) => it.state.id === UserArchiveState.errored) && (
        <>
          <Checkbox label={t("withVideoFiles")} checked={withVideoFiles} onChecked={setWithVideoFiles} />
          <div>
            <Button icon="download" busy={busy} onClick={() => void ask()}>
              {t("ask")}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
