import { constraints } from "@kinora/domain/enums/Constraints"
import { useState } from "preact/hooks"
import type { Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useDraft } from "../../navigation/Draft.ts"
import { useLoad } from "../../navigation/Load.ts"
import { navigate } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { FileButton } from "../../ui/FileButton.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"
import { channelOptions } from "../../video-form/Choices.ts"
import { errorsOf, newFields, updateOf, type VideoFields } from "../../video-form/Fields.ts"
import { VideoForm } from "../../video-form/VideoForm.tsx"
import { type LiveConfig, type LiveFields, liveSettings, newLiveFields, scheduleIsWrong } from "./LiveFields.ts"
import { LiveSettings } from "./LiveSettings.tsx"
import { refusalWords } from "./LiveWords.ts"

const t = text("lives")

const { extensions, maxBytes } = constraints.video.image

/** The picture follows the live: without it the live is complete. */
const sendPicture = async (id: number, picture: File): Promise<void> => {
  const body = new FormData()
  body.set("thumbnailfile", picture)
  const answer = await call("PUT /api/v1/videos/:id", { params: { id }, body })
  if (!answer.ok) toast(t("pictureFailed", { reason: failureWords(answer) }), "failed")
}

const LiveForm = ({ channelId, config }: { readonly config: LiveConfig; readonly channelId: number }) => {
  const draft = useDraft<VideoFields & LiveFields>("live", {
    ...newFields("", channelId),
    ...newLiveFields(config.allowReplay)
  })
  const [picture, setPicture] = useState<File>()
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Failure>()
  const fields = draft.value
  const errors = errorsOf({ ...fields, publishAt: "" }, Date.now())
  const isLate = scheduleIsWrong(fields, Date.now())
  const change = (changes: Partial<VideoFields & LiveFields>): void => {
    setRefusal(undefined)
    draft.set(changes)
  }
  const create = async (): Promise<void> => {
    setTried(true)
    if (Object.keys(errors).length > 0 || isLate) return
    setBusy(true)
    const { scheduleUpdate: _none, ...video } = updateOf({ ...fields, publishAt: "" })
    const answer = await call("POST /api/v1/videos/live", {
      body: { ...video, name: fields.name.trim(), channelId: fields.channelId, ...liveSettings(fields) }
    })
    if (!answer.ok) {
      setRefusal(answer)
      return setBusy(false)
    }
    if (picture !== undefined) await sendPicture(answer.body.video.id, picture)
    draft.clear()
    navigate(`/my/lives/${answer.body.video.shortUUID}`)
  }
  const choose = (file: File): void => {
    if (file.size > maxBytes) toast(t("pictureLarge"), "failed")
    else setPicture(file)
  }
  return (
    <form
      class="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void create()
      }}
    >
      <VideoForm
        fields={fields}
        channels={channelOptions()}
        errors={tried ? errors : {}}
        refusal={refusal}
        onChange={change}
        isLive
      >
        <div class="acts">
          <FileButton accept={extensions.join()} onFile={choose}>
            {t("picture")}
          </FileButton>
          <span class="form-note">{picture?.name ?? t("pictureNone")}</span>
        </div>
        <h2>{t("settings")}</h2>
        <LiveSettings config={config} fields={fields} onChange={change} scheduleError={tried && isLate} />
      </VideoForm>
      <footer class="form-foot">
        <p role="alert">{refusal === undefined ? "" : refusalWords(refusal)}</p>
        <Button type="submit" kind="primary" icon="live" busy={busy}>
          {t("create")}
        </Button>
      </footer>
    </form>
  )
}

/** Sets up a live: what it is, who may see it, and what is left of it. The control room follows. */
export const Page = () => {
  const config = useLoad("config", (signal) => call("GET /api/v1/config", { signal }))
  const first = channelOptions()[0]
  const live = config.data?.live
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("newTitle")}</h1>
          <p>{t("newLead")}</p>
        </div>
      </header>
      {config.failure !== undefined && (
        <LoadFailure reason={failureWords(config.failure)} onRetry={() => void config.again()} />
      )}
      {live === undefined && config.failure === undefined && <Skeleton rows={8} />}
      {live?.enabled === false && <Empty icon="live" title={t("offTitle")} text={t("notEnabled")} />}
      {live?.enabled === true && first === undefined && (
        <Empty icon="warning" title={t("noChannelTitle")} text={t("noChannelText")} />
      )}
      {live?.enabled === true && first !== undefined && <LiveForm config={live} channelId={Number(first.value)} />}
    </>
  )
}
