import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { useState } from "preact/hooks"
import type { Answer, Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { bytes } from "../../i18n/Units.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { Button } from "../../ui/Button.tsx"
import { TextField } from "../../ui/Field.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { type Offered, sourceOf } from "./Source.ts"
import { channelOf, Target, type TargetFields } from "./Target.tsx"

const t = text("imports")

const { torrent, url } = constraints.import

interface ImportFields extends TargetFields {
  readonly source: string
}

/** Which kinds of sources the server takes, as messages name it. */
const kindsOf = ({ http, torrent: torrents }: Offered): "both" | "addresses" | "torrents" =>
  http ? (torrents ? "both" : "addresses") : "torrents"

/** Asks for a video by its address, a magnet link or a torrent file. */
export const ImportForm = ({
  offered,
  onBegun
}: {
  readonly offered: Offered
  readonly onBegun: () => Promise<void>
}) => {
  const draft = useDraft<ImportFields>("import", { source: "", channelId: 0, privacy: VideoPrivacy.public })
  const fields = draft.value
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const source = sourceOf(fields.source, offered)
  const error = tried && typeof source === "string" ? t(source) : undefined
  const change = (changes: Partial<ImportFields>): void => {
    setRefusal(undefined)
    draft.set(changes)
  }
  const send = async (asking: Promise<Answer>): Promise<void> => {
    setBusy(true)
    const answer = await asking
    setBusy(false)
    if (!answer.ok) return setRefusal(answer)
    setTried(false)
    change({ source: "" })
    toast(t("isBegun"))
    await onBegun()
  }
  const begin = (): void => {
    setTried(true)
    if (typeof source === "string") return
    const body = { ...source, channelId: channelOf(fields), privacy: fields.privacy }
    void send(call("POST /api/v1/videos/imports", { body }))
  }
  const sendTorrent = (file: File): void => {
    if (file.size > torrent.maxBytes) return toast(t("torrentLarge", { size: bytes(torrent.maxBytes) }), "failed")
    const body = new FormData()
    body.set("channelId", String(channelOf(fields)))
    body.set("privacy", String(fields.privacy))
    body.set("torrentfile", file)
    void send(call("POST /api/v1/videos/imports", { body }))
  }
  const kinds = kindsOf(offered)
  return (
    <form
      class="card stack i-form"
      aria-label={t("formLabel")}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) begin()
      }}
    >
      <TextField
        label={t("source", { kinds })}
        help={t("sourceHelp", { kinds })}
        error={error ?? refusal?.wrong[0]?.reason}
        value={fields.source}
        maxLength={url.max}
        onValue={(it) => change({ source: it })}
      />
      <Target fields={fields} onChange={change} />
      <footer class="form-foot">
        <p role="alert">{refusal === undefined || refusal.wrong.length > 0 ? "" : failureWords(refusal)}</p>
        {offered.torrent && (
          <FileButton accept=".torrent,application/x-bittorrent" busy={busy} onFile={sendTorrent}>
            {t("chooseTorrent")}
          </FileButton>
        )}
        <Button kind="primary" type="submit" busy={busy}>
          {t("begin")}
        </Button>
      </footer>
    </form>
  )
}
