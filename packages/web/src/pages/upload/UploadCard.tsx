import { useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { bytes, percent } from "../../i18n/Units.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import type { Option } from "../../ui/Choices.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { Progress } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { cancel, edit, pause, publish, resume, type Upload, type UploadState } from "../../uploads/Uploads.ts"
import { errorsOf } from "../../video-form/Fields.ts"
import { VideoForm } from "../../video-form/VideoForm.tsx"

const t = text("upload")

const words = (upload: Upload, state: UploadState): string => {
  const { size, wanted } = upload.kept.value
  const sent = upload.sent.value
  switch (state.at) {
    case "sending":
      return t("sending", { sent: bytes(sent), size: bytes(size), part: percent(size === 0 ? 0 : sent / size) })
    case "waiting":
      return state.why?.status === 0 ? t("waitingForNetwork") : t("waitingForServer")
    case "paused":
      return t("paused", { part: percent(size === 0 ? 0 : sent / size) })
    case "finishing":
      return t("finishing")
    case "needs-file":
      return t("needsFile")
    case "arrived":
      return wanted ? t("publishing") : t("arrived")
    case "publishing":
      return t("publishing")
    case "published":
      return t("published")
    case "failed":
      return failureWords(state.failure)
  }
}

const cancelAsked = async (upload: Upload): Promise<void> => {
  const isThere = upload.kept.value.video !== undefined
  const yes =
    isThere ||
    (await confirm({
      title: t("cancelTitle"),
      text: t("cancelText", { name: upload.kept.value.filename }),
      action: t("cancelAction"),
      danger: true
    }))
  if (yes) cancel(upload)
}

const Acts = ({ state, upload }: { readonly upload: Upload; readonly state: UploadState }) => (
  <div class="upload-acts">
    {(state.at === "sending" || state.at === "waiting") && (
      <Button kind="quiet" small icon="pause" label={t("pause")} onClick={() => pause(upload)} />
    )}
    {(state.at === "paused" || state.at === "failed") && (
      <Button
        kind="quiet"
        small
        icon={state.at === "paused" ? "play" : "retry"}
        label={t("resume")}
        onClick={() => resume(upload)}
      />
    )}
    {state.at !== "publishing" && state.at !== "published" && (
      <Button kind="quiet" small icon="close" label={t("cancel")} onClick={() => void cancelAsked(upload)} />
    )}
  </div>
)

/** One file: how far it is, and its form. */
export const UploadCard = ({
  channels,
  upload
}: {
  readonly upload: Upload
  readonly channels: ReadonlyArray<Option>
}) => {
  const kept = upload.kept.value
  const state = upload.state.value
  const refusal = upload.refusal.value
  const [tried, setTried] = useState(false)
  const errors = errorsOf(kept.fields, Date.now())
  const isDone = state.at === "published"
  const send = (): void => {
    setTried(true)
    if (Object.keys(errors).length === 0) void publish(upload)
  }
  return (
    <li class="card upload" data-state={state.at} aria-label={kept.filename}>
      <div class="upload-head">
        <span class="upload-icon">
          <Icon name={isDone ? "check" : state.at === "failed" ? "warning" : "film"} />
        </span>
        <div class="upload-facts">
          <h2>{kept.fields.name === "" ? kept.filename : kept.fields.name}</h2>
          <p role="status">{words(upload, state)}</p>
        </div>
        <Acts upload={upload} state={state} />
      </div>
      {!isDone && kept.video === undefined && (
        <Progress
          label={t("progressOf", { name: kept.filename })}
          value={state.at === "finishing" ? undefined : upload.sent.value}
          max={kept.size}
        />
      )}
      {isDone ? (
        <div class="upload-done">
          <ButtonLink kind="primary" icon="play" href={`/w/${kept.video?.shortUUID ?? ""}`}>
            {t("watch")}
          </ButtonLink>
          <ButtonLink icon="film" href="/my/videos">
            {t("toVideos")}
          </ButtonLink>
        </div>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <VideoForm
            fields={kept.fields}
            channels={channels}
            errors={tried ? errors : {}}
            refusal={refusal}
            onChange={(fields) => edit(upload, fields)}
          />
          <footer class="form-foot">
            <p role="alert">{refusal === undefined ? "" : failureWords(refusal)}</p>
            {kept.wanted && kept.video === undefined ? (
              <p class="form-promise">
                <Icon name="check" size={18} /> {t("promised")}
              </p>
            ) : (
              <Button type="submit" kind="primary" busy={state.at === "publishing"}>
                {kept.video === undefined ? t("publishLater") : t("publish")}
              </Button>
            )}
          </footer>
        </form>
      )}
    </li>
  )
}
