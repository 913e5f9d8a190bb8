import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { TextField } from "../../ui/Field.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { named } from "./Named.ts"

const t = text("redundancy")
const common = text("common")

/** A dialog in which a video is named that the instance is to mirror. */
export const MirrorDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [video, setVideo] = useState("")
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  /** What went wrong, in words; undefined when the mirror is being made. */
  const mirror = async (): Promise<string | undefined> => {
    const it = named(video, location.origin)
    if (it === undefined) return common("required")
    let videoId: string | undefined = it.value
    if (it.kind === "address") {
      // Another instance's video is looked up, as in a search, and known here from then on.
      const found = await call("GET /api/v1/search/videos", { query: { search: it.value, count: 1 } })
      if (!found.ok) return failureWords(found)
      videoId = found.body.data[0]?.uuid
      if (videoId === undefined) return t("notFound")
    }
    const answer = await call("POST /api/v1/server/redundancy/videos", { body: { videoId } })
    if (answer.ok) return undefined
    return answer.status === 404 ? t("notFound") : (answer.wrong[0]?.reason ?? failureWords(answer))
  }
  const send = async (): Promise<void> => {
    setBusy(true)
    const wrong = await mirror()
    setBusy(false)
    if (wrong !== undefined) return setError(wrong)
    toast(t("asked"))
    onClose()
  }
  return (
    <Dialog
      title={t("mirrorTitle")}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button kind="primary" busy={busy} onClick={() => void send()}>
            {t("mirror")}
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void send()
        }}
      >
        <p>{t("mirrorText")}</p>
        <TextField
          label={t("address")}
          help={t("addressHelp")}
          value={video}
          error={error}
          onValue={(it) => {
            setError(undefined)
            setVideo(it)
          }}
        />
      </form>
    </Dialog>
  )
}
